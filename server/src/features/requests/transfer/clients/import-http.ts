import { childrenOf, type Element, readXml, textOf } from '../../../scanner-formats/readers/xml.ts'
import { messageIn } from '../../../scanner-formats/web/burp-items.ts'
import { nameOf } from '../curl/import-curl.ts'
import {
  ImportError,
  type Imported,
  type ImportedRequest,
  literal,
  nothingImported,
  OF_CONNECTIONS,
  pair,
  withoutBoundary,
} from '../imported.ts'
import { nameOr, textBody, usableVariables } from './common.ts'

/** `POST /api HTTP/1.1`; files of editors (`.http`) also leave out the version, and have a whole address. */
const BEGIN = /^([A-Z]{3,10}) (\S{1,8192})(?: (HTTP\/[\d.]{1,3}))?$/

/** True if the text begins with a request, or with the comments or variables of a `.http` file above one. */
export const isHttp = (text: string): boolean => {
  const lines = text.slice(0, 65_536).split(/\r?\n/)
  const first = lines.find((line) => line.trim() !== '' && !/^(?:#|\/\/|@\w)/.test(line)) ?? ''
  const found = BEGIN.exec(first.trim())
  return found !== null && (found[3] !== undefined || /^(?:https?:\/\/|\{\{)/i.test(found[2] as string))
}

/**
 * Imports requests as they are sent, and files of editors with several of them between lines of `###`. What is sent has
 * no variables; in files of editors `{{name}}` is one. @throws ImportError
 */
export const importHttp = (text: string): Imported => {
  const imported = nothingImported()
  const variables: { name: string; value: string; secret: boolean }[] = []
  for (const [index, part] of partsOf(text).entries()) {
    const written = part.split('\n')
    const lines = written.map((line) => line.replace(/\r$/, ''))
    const begin = lines.findIndex((line) => BEGIN.test(line.trim()))
    for (const line of lines.slice(0, begin < 0 ? lines.length : begin)) {
      const [, name, value] = /^@([\w.-]{1,64})\s{0,10}=\s{0,10}(.{0,4000})$/.exec(line) ?? []
      if (name !== undefined) variables.push({ name, value: value ?? '', secret: false })
    }
    if (begin < 0) continue
    const title = /^(?:#|\/\/)\s{0,5}(?:@name\s)?(.{1,200})$/.exec(lines[begin - 1] ?? '')?.[1]
    const request = requestIn(
      written.slice(begin).join('\n'),
      undefined,
      (reason) => void imported.problems.push({ position: `request ${index + 1}`, reason }),
    )
    if (request) imported.requests.push({ ...request, name: nameOr(title, request.name) })
  }
  if (imported.requests.length === 0) throw new ImportError('there is no HTTP request')
  if (variables.length > 0)
    imported.environments.push({
      name: 'Variables of the file',
      variables: usableVariables(variables, imported.problems),
    })
  return imported
}

/** The requests of a file; in the body of one that was sent, `###` is text unless a request follows. */
const partsOf = (text: string): string[] => {
  const parts = text.split(/^###.*$/m)
  const isSent = (part: string) =>
    part.split('\n').some((line, index) => index < MAX_LINES_ABOVE && BEGIN.exec(line.trim())?.[3] !== undefined)
  return isSent(parts[0] as string) && !parts.slice(1).some(isHttp) ? [text] : parts
}

/** Lines of comments and variables that may come before a request. */
const MAX_LINES_ABOVE = 50

/** @param address of the request, if it is known from elsewhere */
const requestIn = (
  message: string,
  address: string | undefined,
  problem: (reason: string) => undefined,
): ImportedRequest | undefined => {
  const end = /\r?\n\r?\n/.exec(message)
  const lines = message.slice(0, end?.index).split(/\r?\n/)
  const [, method, target = '', version] = BEGIN.exec((lines[0] ?? '').trim()) ?? []
  if (method === undefined) return problem('it does not begin with the line of a request')
  const isSent = version !== undefined || address !== undefined
  const text = isSent ? literal : (written: string) => written
  const written = lines.slice(1).flatMap((line) => {
    const colon = line.indexOf(':')
    return colon <= 0 ? [] : [{ name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() }]
  })
  const of = (name: string) => written.find((header) => header.name.toLowerCase() === name)?.value
  const host = of('host')
  const url =
    address ??
    (/^(?:https?:\/\/|\{\{)/i.test(target)
      ? target
      : host === undefined
        ? undefined
        : `${host.endsWith(':80') ? 'http' : 'https'}://${host}${target}`)
  if (url === undefined) return problem('it has no address and no Host header')
  if (address === undefined && url !== target && !/:\d+$/.test(host ?? ''))
    problem('it states no scheme: https is used')
  const rest = end ? message.slice(end.index + end[0].length) : ''
  const isMultipart = /^multipart\//i.test(of('content-type') ?? '')
  // A file that was saved with other line ends: servers need these in a multipart body.
  const body = isMultipart && !rest.includes('\r\n') ? rest.replaceAll('\n', '\r\n') : rest
  const headers = written
    .filter(
      ({ name }) =>
        name.toLowerCase() !== 'host' && !OF_CONNECTIONS.includes(name.toLowerCase()) && !name.startsWith(':'),
    )
    .map(({ name, value }) => pair(text(name), text(value)))
  return {
    folder: null,
    name: nameOf(url),
    method,
    url: text(url),
    headers: withoutBoundaryOf(headers, body),
    auth: { type: 'none' },
    ...textBody(text(isSent ? body : body.trim()), of('content-type')),
  }
}

/** The boundary stays if the body is text that contains it. */
const withoutBoundaryOf = (headers: ReturnType<typeof pair>[], body: string) =>
  body === '' ? withoutBoundary(headers) : headers

/** Imports the requests of Burp's saved items. @throws ImportError */
export const importBurpItems = async (text: string): Promise<Imported> => {
  const imported = nothingImported()
  async function* once() {
    yield text
  }
  let index = 0
  for await (const event of readXml(once(), (path) => path === 'items/item')) {
    if (event.type === 'error')
      imported.problems.push({ position: 'file', reason: `it cannot be read to its end: ${event.reason}` })
    else if (event.type === 'element') readItem(event.element, ++index, imported)
  }
  if (index === 0) throw new ImportError('there are no items')
  return imported
}

const readItem = (item: Element, index: number, imported: Imported): void => {
  const position = `item ${index}`
  const problem = (reason: string) => void imported.problems.push({ position, reason })
  const url = textOf(item, 'url')
  const message = childrenOf(item, 'request').length > 0 ? messageIn(item, 'request') : undefined
  if (url === undefined || message === undefined) return problem('it has no address or no request')
  if (message.includes('\ufffd')) problem('its body is not text: some bytes are replaced')
  const request = requestIn(message, url, problem)
  if (request) imported.requests.push({ ...request, description: textOf(item, 'comment') ?? '' })
}
