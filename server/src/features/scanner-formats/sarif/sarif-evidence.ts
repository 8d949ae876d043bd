import { cleanNumber } from '../../inventory/sightings/clean.ts'
import { type Fields, listOf, objectOf, textIn, wordsIn } from '../readers/records.ts'

/** Returns the place of a location as text (`src/db.js:42`); undefined if it has none. */
export type WritePlace = (location: Fields) => string | undefined

const snippetIn = (region: unknown): string | undefined => textIn(objectOf(objectOf(region)['snippet'])['text'])

/** Text of a message, or its Markdown if it has no text. */
export const wordsOf = (message: unknown): string | undefined =>
  textIn(objectOf(message)['text']) ?? textIn(objectOf(message)['markdown'])

/** The code of a result with the lines around it, and its baseline state. */
export const codeIn = (result: Fields): (string | undefined)[] => {
  const physical = objectOf(objectOf(listOf(result['locations'])[0])['physicalLocation'])
  const state = textIn(result['baselineState'])
  return [snippetIn(physical['contextRegion']) ?? snippetIn(physical['region']), state && `baseline: ${state}`]
}

/** A text for each flow from a source to a sink (section 3.36), with a line for each step. */
export const codeFlowsIn = (result: Fields, place: WritePlace): string[] =>
  listOf(result['codeFlows'])
    .flatMap((flow) => listOf(objectOf(flow)['threadFlows']))
    .map((thread) =>
      listOf(objectOf(thread)['locations'])
        .map((step) => objectOf(objectOf(step)['location']))
        .map((location) => [place(location), wordsOf(location['message'])].filter(Boolean).join(' '))
        .filter(Boolean)
        .join('\n'),
    )

/**
 * Further places of a result, and those that its message refers to by number: `[1] src/routes.js:7 user-provided
 * value`.
 */
export const furtherPlaces = (result: Fields, place: WritePlace): string[] => {
  const others = listOf(result['locations']).slice(1).map(objectOf)
  const related = listOf(result['relatedLocations']).map(objectOf)
  return [...others, ...related].flatMap((location) => {
    const id = cleanNumber(location['id'])
    const line = [place(location), wordsOf(location['message'])].filter(Boolean).join(' ')
    return line === '' ? [] : [id === undefined ? line : `[${id}] ${line}`]
  })
}

/** CWE numbers of a result and its rule: tags, properties, taxa and relationships (sections 3.27.8 and 3.49.15). */
export const cwesOf = (result: Fields, rule: Fields): unknown[] => {
  const properties = [objectOf(result['properties']), objectOf(rule['properties'])]
  const tagged = properties.flatMap((each) => [
    ...listOf(each['tags']),
    ...[each['cwe'], each['cwes'], each['CWE']].flat(),
  ])
  const targets = listOf(rule['relationships']).map((relationship) => objectOf(objectOf(relationship)['target']))
  const taxa = [...listOf(result['taxa']).map(objectOf), ...targets].filter(({ toolComponent }) =>
    /^cwe$/i.test(textIn(objectOf(toolComponent)['name']) ?? ''),
  )
  return [
    ...tagged.map((tag) => /cwe[-/ :]{0,3}(\d{1,6})/i.exec(textIn(tag) ?? '')?.[1]),
    ...taxa.map(({ id }) => /^(?:CWE-)?(\d{1,6})$/i.exec(textIn(id) ?? '')?.[1]),
  ].map((number) => number && `CWE-${number}`)
}

/** How to repair it: the descriptions of fixes, then the help of the rule. */
export const solutionOf = (result: Fields, rule: Fields): string =>
  [
    ...listOf(result['fixes']).map((fix) => wordsOf(objectOf(fix)['description'])),
    textIn(objectOf(rule['help'])['markdown']) ?? textIn(objectOf(rule['help'])['text']),
  ]
    .filter(Boolean)
    .join('\n\n')

const headersIn = (headers: unknown): string =>
  Object.entries(objectOf(headers))
    .map(([name, value]) => `${name}: ${wordsIn([value]).join()}`)
    .join('\r\n')

const bodyIn = (message: Fields): string => textIn(objectOf(message['body'])['text']) ?? ''

/** The exchange of a result, itself or by the index of its run (sections 3.27.14 and 3.46). */
export const exchangeIn = (
  result: Fields,
  webRequests: readonly Fields[],
  webResponses: readonly Fields[],
): { request?: string; response?: string } => {
  const of = (value: unknown, all: readonly Fields[]): Fields => {
    const written = objectOf(value)
    const index = cleanNumber(written['index'])
    return { ...(index === undefined ? {} : all[index]), ...written }
  }
  const request = of(result['webRequest'], webRequests)
  const response = of(result['webResponse'], webResponses)
  const version = (message: Fields) => `${textIn(message['protocol']) ?? 'HTTP'}/${textIn(message['version']) ?? '1.1'}`
  const method = textIn(request['method'])
  const status = cleanNumber(response['statusCode'])
  return {
    ...(method !== undefined && {
      request: `${method} ${textIn(request['target']) ?? '/'} ${version(request)}\r\n${headersIn(request['headers'])}\r\n\r\n${bodyIn(request)}`,
    }),
    ...(status !== undefined && {
      response: `${version(response)} ${status} ${textIn(response['reasonPhrase']) ?? ''}\r\n${headersIn(response['headers'])}\r\n\r\n${bodyIn(response)}`,
    }),
  }
}
