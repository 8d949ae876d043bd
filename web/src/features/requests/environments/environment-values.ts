import type { Input } from '@sortie/client/calls.ts'
import { hostsAsText, hostsOf } from '../host-list.ts'
import type { Environment } from '../place.tsx'

/** A variable as it is typed. What is typed as secret stands beside it, by `key`, since it must not be stored in the browser. */
export interface VariableRow {
  /** The name that is saved, or one that no name can be. */
  key: string
  name: string
  /** Empty for a secret. */
  value: string
  secret: boolean
  /** Whether the server has a value of it that it does not tell. */
  isSealed: boolean
}

export type EnvironmentValues = {
  name: string
  proxy: string
  hosts: string
  variables: VariableRow[]
  secrets: Record<string, string>
}

export const LABELS = { name: 'Name', proxy: 'Proxy', hosts: 'Hosts of its secrets', variables: 'Variables', secrets: 'Secrets' } as const

export const savedOf = (environment: Environment): { values: EnvironmentValues; version: string } => ({
  values: {
    name: environment.name,
    proxy: environment.proxy ?? '',
    hosts: hostsAsText(environment.hosts),
    variables: environment.variables.map(({ name, value, secret, isSet }) => ({ key: name, name, value: value ?? '', secret, isSealed: secret && isSet })),
    secrets: {},
  },
  version: environment.updatedAt,
})

/** What a PATCH sends: a sealed secret that nothing was typed for keeps its value. */
export const changesOf = ({ name, proxy, hosts, variables, secrets }: EnvironmentValues): Input<'updateEnvironment'>['body'] => ({
  name,
  proxy: proxy.trim() === '' ? null : proxy.trim(),
  hosts: hostsOf(hosts),
  variables: variables
    .filter((row) => row.name !== '')
    .map((row) => {
      const typed = secrets[row.key] ?? ''
      if (row.secret) return { name: row.name, secret: true, value: typed === '' && row.isSealed ? null : typed || row.value }
      return { name: row.name, secret: false, value: row.isSealed && row.value === '' ? null : row.value }
    }),
})

/** A row for a variable that is not there yet. */
export const newRow = (): VariableRow => ({ key: `new ${crypto.randomUUID()}`, name: '', value: '', secret: false, isSealed: false })
