import { DOOR_PATHS, type Endpoint } from '@sortie/contract/endpoint.ts'

/** Parameters of the path as an example has them. */
const exampleOf = (endpoint: Endpoint, name: string): string => {
  const fields = endpoint.params.properties as Record<string, { examples?: readonly string[] }>
  return fields[name]?.examples?.[0] ?? `<${name}>`
}

export const curlExample = (endpoint: Endpoint, origin: string): string => {
  const path = endpoint.path.replace(/:([A-Za-z]+)/g, (_, name: string) => exampleOf(endpoint, name))
  const lines = [
    `curl ${endpoint.method === 'GET' ? '' : `-X ${endpoint.method} `}'${origin}${DOOR_PATHS.key}${path}'`,
    `-H "Authorization: Bearer $SORTIE_API_KEY"`,
  ]
  if (endpoint.example?.body !== undefined) {
    lines.push(`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(endpoint.example.body).replaceAll("'", `'\\''`)}'`)
  }
  return lines.join(' \\\n  ')
}

export const typescriptExample = (endpoint: Endpoint, origin: string): string => {
  const names = Object.keys(endpoint.params.properties)
  const parts = [
    ...(names.length > 0 ? [`params: { ${names.map((name) => `${name}: '${exampleOf(endpoint, name)}'`).join(', ')} }`] : []),
    ...(endpoint.example?.body === undefined ? [] : [`body: ${literal(endpoint.example.body)}`]),
  ]
  const input = parts.length > 0 ? `{ ${parts.join(', ')} }` : ''
  return [
    `import { createClient } from '@sortie/client/client.ts'`,
    '',
    `const sortie = createClient({ baseUrl: '${origin}/api', apiKey: process.env.SORTIE_API_KEY })`,
    `const ${isPaged(endpoint) ? '{ data, meta }' : '{ data }'} = await sortie.${endpoint.id}(${input})`,
  ].join('\n')
}

const isPaged = ({ reply }: Endpoint): boolean => 'properties' in reply && 'meta' in (reply.properties as object)

/** JSON as a person writes it in a program. */
const literal = (value: unknown): string => {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    return `{ ${Object.entries(value)
      .map(([key, part]) => `${key}: ${literal(part)}`)
      .join(', ')} }`
  }
  return String(value)
}
