export const VERSIONS = ['CVSS:3.0', 'CVSS:3.1', 'CVSS:4.0'] as const
export type Version = (typeof VERSIONS)[number]

interface Metric {
  name: string
  label: string
  /** Letter and meaning, worst first. */
  values: readonly (readonly [string, string])[]
}

const AMOUNTS = [
  ['H', 'High'],
  ['L', 'Low'],
  ['N', 'None'],
] as const
const FROM: Metric = {
  name: 'AV',
  label: 'Attack vector',
  values: [
    ['N', 'Network'],
    ['A', 'Adjacent'],
    ['L', 'Local'],
    ['P', 'Physical'],
  ],
}
const EFFORT: Metric = {
  name: 'AC',
  label: 'Attack complexity',
  values: [
    ['L', 'Low'],
    ['H', 'High'],
  ],
}
const RIGHTS: Metric = {
  name: 'PR',
  label: 'Privileges required',
  values: [
    ['N', 'None'],
    ['L', 'Low'],
    ['H', 'High'],
  ],
}

const OF_3: readonly Metric[] = [
  FROM,
  EFFORT,
  RIGHTS,
  {
    name: 'UI',
    label: 'User interaction',
    values: [
      ['N', 'None'],
      ['R', 'Required'],
    ],
  },
  {
    name: 'S',
    label: 'Scope',
    values: [
      ['U', 'Unchanged'],
      ['C', 'Changed'],
    ],
  },
  { name: 'C', label: 'Confidentiality', values: AMOUNTS },
  { name: 'I', label: 'Integrity', values: AMOUNTS },
  { name: 'A', label: 'Availability', values: AMOUNTS },
]

const OF_4: readonly Metric[] = [
  FROM,
  EFFORT,
  {
    name: 'AT',
    label: 'Attack requirements',
    values: [
      ['N', 'None'],
      ['P', 'Present'],
    ],
  },
  RIGHTS,
  {
    name: 'UI',
    label: 'User interaction',
    values: [
      ['N', 'None'],
      ['P', 'Passive'],
      ['A', 'Active'],
    ],
  },
  { name: 'VC', label: 'Confidentiality of the vulnerable system', values: AMOUNTS },
  { name: 'VI', label: 'Integrity of the vulnerable system', values: AMOUNTS },
  { name: 'VA', label: 'Availability of the vulnerable system', values: AMOUNTS },
  { name: 'SC', label: 'Confidentiality of systems behind it', values: AMOUNTS },
  { name: 'SI', label: 'Integrity of systems behind it', values: AMOUNTS },
  { name: 'SA', label: 'Availability of systems behind it', values: AMOUNTS },
]

/** Base metrics of each version, in the order of its specification (3.1, section 2; 4.0, section 2). */
export const METRICS: Readonly<Record<Version, readonly Metric[]>> = {
  'CVSS:3.0': OF_3,
  'CVSS:3.1': OF_3,
  'CVSS:4.0': OF_4,
}

const metricsOf = (vector: string): [string, string][] =>
  vector
    .split('/')
    .filter((part) => part.includes(':') && !part.startsWith('CVSS:'))
    .map((part) => part.split(':') as [string, string])

/** Sets one metric: base metrics in specification order, then the vector's other metrics. */
export const withMetric = (vector: string, version: Version, name: string, value: string): string => {
  const chosen = new Map(metricsOf(vector)).set(name, value)
  const base = METRICS[version].map((metric) => metric.name)
  const order = [
    ...base.filter((metric) => chosen.has(metric)),
    ...[...chosen.keys()].filter((metric) => !base.includes(metric)),
  ]
  return [version, ...order.map((metric) => `${metric}:${chosen.get(metric)}`)].join('/')
}

/** Converts the vector to another version; keeps base metric values that both versions define. */
export const withVersion = (vector: string, version: Version): string => {
  const kept = metricsOf(vector).filter(([name, value]) =>
    METRICS[version].some((metric) => metric.name === name && metric.values.some(([letter]) => letter === value)),
  )
  return [version, ...kept.map((metric) => metric.join(':'))].join('/')
}
