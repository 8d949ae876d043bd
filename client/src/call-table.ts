import { answersJson, DOOR_PATHS, type Door, type Endpoint } from '@sortie/contract/core/endpoint.ts'
import type { Target } from './request.ts'

/** Method and path of each call, by name: the contract without its schemas. */
export type CallTable = Readonly<Record<string, Target>>

/** The calls at these doors. The web interface ships this instead of the contract, which is fifty times as large. */
export const callTable = (endpoints: readonly Endpoint[], doors: readonly Door[]): CallTable =>
  Object.fromEntries(
    endpoints.flatMap(({ id, method, path, consumes, produces, query, doors: own }) => {
      const door = doors.find((candidate) => own.includes(candidate))
      if (!door) return []
      return [
        [
          id,
          {
            method,
            path: DOOR_PATHS[door] + path,
            ...(consumes && { consumes }),
            ...(repeated(query).length > 0 && { repeats: repeated(query) }),
            ...(!answersJson({ produces, query, status: 200 }) && {
              produces: produces === 'file' || produces === 'events' ? 'file' : 'text',
            }),
          },
        ],
      ]
    }),
  )

/** Parameters that are given once for each value. */
const repeated = (query: Endpoint['query']): string[] =>
  Object.entries(
    (query as { properties?: Record<string, { 'x-repeats'?: boolean }> } | undefined)?.properties ?? {},
  ).flatMap(([name, schema]) => (schema['x-repeats'] ? [name] : []))
