import library from 'ae-cvss-calculator'

const VERSIONS = ['CVSS:3.0', 'CVSS:3.1', 'CVSS:4.0']

/**
 * The score of a CVSS 3.0, 3.1 or 4.0 vector, including temporal (threat) and environmental metrics.
 *
 * @returns undefined for an incomplete or invalid vector: an unknown version, metric or value, a duplicate metric, a
 *   missing base metric
 */
export const scoreOf = (vector: string): number | undefined => {
  const [version, ...metrics] = vector.split('/')
  const names = metrics.map((metric) => metric.split(':')[0])
  if (!VERSIONS.includes(version as string) || new Set(names).size !== names.length) return undefined
  const parsed = library.fromVector(vector)
  return parsed?.getVectorName() === version && parsed.isBaseFullyDefined()
    ? parsed.calculateScores().overall
    : undefined
}

/** The qualitative scale of CVSS 3 and 4 (specification 3.1, section 5; 4.0, section 6). */
export const severityOfScore = (score: number): 'info' | 'low' | 'medium' | 'high' | 'critical' =>
  score >= 9 ? 'critical' : score >= 7 ? 'high' : score >= 4 ? 'medium' : score > 0 ? 'low' : 'info'
