const MAX_KEY = 40

/** A key from a title: its words in lower case, joined by hyphens. */
export const keyFrom = (title: string): string => {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
  return [...words].slice(0, MAX_KEY).join('').replace(/-$/, '')
}
