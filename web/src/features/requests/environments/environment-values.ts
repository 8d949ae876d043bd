import type { Input } from '@sortie/client/calls.ts'
import { hostsAsText, hostsOf } from '../host-list.ts'
import type { Environment } from '../place.tsx'

/** A variable as typed. Typed secrets are kept separately by `key`, because the browser must not store them. */
export interface VariableRow {
  /** The saved name, or a key that is not a valid name. */
  key: string
  name: string
  /** Empty for a secret. */
  value: string
  secret: boolean
  /** The server stores a value that it does not return. */
  isSealed: boolean
}

export type EnvironmentValues = {
  name: string
  proxy: string
  hosts: string
  variables: VariableRow[]
  secrets: Record<string, string>
}

export const LABELS = {
  name: 'Name',
  proxy: 'Proxy',
  hosts: 'Hosts of its secrets',
  variables: 'Variables',
  secrets: 'Secrets',
} as const

export const savedOf = (environment: Environment): { values: EnvironmentValues; version: string } => ({
  values: {
    name: environment.name,
    proxy: environment.proxy ?? '',
    hosts: hostsAsText(environment.hosts),
    variables: environment.variables.map(({ name, value, secret, isSet }) => ({
      key: name,
      name,
      value: value ?? '',
      secret,
      isSealed: secret && isSet,
    })),
    secrets: {},
  },
  version: environment.updatedAt,
})

/** Body of the PATCH: a sealed secret without input keeps its value. */
export const changesOf = ({
  name,
  proxy,
  hosts,
  variables,
  secrets,
}: EnvironmentValues): Input<'updateEnvironment'>['body'] => ({
  name,
  proxy: proxy.trim() === '' ? null : proxy.trim(),
  hosts: hostsOf(hosts),
  variables: variables
    .filter((row) => row.name !== '')
    .map((row) => {
      const typed = secrets[row.key] ?? ''
      if (row.secret)
        return { name: row.name, secret: true, value: typed === '' && row.isSealed ? null : typed || row.value }
      return { name: row.name, secret: false, value: row.isSealed && row.value === '' ? null : row.value }
    }),
})

/** Row for a new variable. */
export const newRow = (): VariableRow => ({
  key: `new ${crypto.randomUUID()}`,
  name: '',
  value: '',
  secret: false,
  isSealed: false,
})
