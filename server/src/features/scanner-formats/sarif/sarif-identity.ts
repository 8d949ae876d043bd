import { createHash } from 'node:crypto'
import { type Fields, objectOf, textIn } from '../readers/records.ts'

/** Some tools without a fingerprint write a text such as "requires login". */
const isFingerprint = (value: string): boolean => /^\S{6,1000}$/.test(value)

const fingerprintsIn = (value: unknown): string[] =>
  Object.entries(objectOf(value))
    .flatMap(([name, written]) => {
      const text = textIn(written)
      return text !== undefined && isFingerprint(text) ? [`${name}=${text}`] : []
    })
    .toSorted()

interface SarifResult {
  ruleId: string
  asset: string
  location: string
  message: string
}

/**
 * Returns what distinguishes results of one tool (SARIF 2.1.0, appendix B): a fingerprint, which survives moved code;
 * partial fingerprints within a rule and a file; or rule, place and message, which names the package or parameter.
 */
export const discriminatorsOf = (result: Fields, { ruleId, asset, location, message }: SarifResult): string[] => {
  // The first one by name: later versions of a tool add others.
  const [fingerprint] = fingerprintsIn(result['fingerprints'])
  if (fingerprint !== undefined) return ['fingerprint', ruleId, hashed(fingerprint)]
  const partial = fingerprintsIn(result['partialFingerprints'])
  if (partial.length > 0) return ['partial', ruleId, asset, hashed(partial.join('\n'))]
  return ['said', ruleId, asset, location, logicalPlaceIn(result), hashed(message)]
}

const logicalPlaceIn = (result: Fields): string => {
  const [location] = Array.isArray(result['locations']) ? result['locations'] : []
  const logical = objectOf(location)['logicalLocations']
  const [first] = Array.isArray(logical) ? logical : []
  return textIn(objectOf(first)['fullyQualifiedName']) ?? textIn(objectOf(first)['name']) ?? ''
}

/** Messages and fingerprints may be long. */
const hashed = (text: string): string => createHash('sha256').update(text.toWellFormed()).digest('hex')
