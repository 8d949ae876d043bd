import providers from 'email-providers/all.json' with { type: 'json' }

/** Missing in the list of the package. */
const FURTHER = [
  'fastmail.com',
  'fastmail.fm',
  'tutanota.com',
  'tutanota.de',
  'tuta.com',
  'tuta.io',
  'tutamail.com',
  'posteo.de',
  'posteo.net',
  'duck.com',
  'mozmail.com',
  'privaterelay.appleid.com',
  'passmail.net',
  'simplelogin.com',
  'ik.me',
  'skiff.com',
]

const PUBLIC: ReadonlySet<string> = new Set([...providers, ...FURTHER])

/** @returns true if anyone can get an address there, so that sharing the domain proves nothing. Subdomains count. */
export const isPublicMailDomain = (domain: string): boolean => {
  const labels = domain.split('.')
  return labels.some((_label, index) => index < labels.length - 1 && PUBLIC.has(labels.slice(index).join('.')))
}
