import { nameOf } from '../curl/import-curl.ts'
import {
  ImportError,
  type Imported,
  type ImportedRequest,
  listIn,
  literal,
  nothingImported,
  OF_CONNECTIONS,
  objectIn,
  pair,
  textIn,
  withoutBoundary,
} from '../imported.ts'

/** Dropped in addition to connection headers, because the URL contains it. */
const OF_ADDRESS = 'host'

/** Imports requests of an HTTP Archive 1.2, without responses. @throws ImportError */
export const importHar = (file: unknown): Imported => {
  const entries = objectIn(file, 'log')['entries']
  if (!Array.isArray(entries)) throw new ImportError('there are no log.entries')
  const imported = nothingImported()
  for (const [index, entry] of entries.entries()) {
    const position = `entry ${index + 1}`
    const request = objectIn(entry, 'request')
    const url = textIn(request, 'url')
    if (url === undefined || !/^https?:/i.test(url)) {
      imported.problems.push({ position, reason: 'it must have an http or https address' })
      continue
    }
    const headers = listIn(request, 'headers').flatMap((header) => {
      const name = textIn(header, 'name') ?? ''
      return name === '' || name.startsWith(':') || [OF_ADDRESS, ...OF_CONNECTIONS].includes(name.toLowerCase())
        ? []
        : [pair(literal(name), literal(textIn(header, 'value') ?? ''))]
    })
    const body = bodyOf(request, (reason) => void imported.problems.push({ position, reason }))
    imported.requests.push({
      folder: null,
      name: nameOf(url),
      method: textIn(request, 'method') ?? 'GET',
      url: literal(url),
      headers: body.body?.mode === 'multipart' ? withoutBoundary(headers) : headers,
      // The headers already contain all credentials.
      auth: { type: 'none' },
      ...body,
    })
  }
  return imported
}

const bodyOf = (request: unknown, problem: (reason: string) => void): Pick<ImportedRequest, 'body'> => {
  const data = objectIn(request, 'postData')
  const text = textOf(data, problem)
  const mediaType = textIn(data, 'mimeType') ?? ''
  const params = listIn(data, 'params')
  if (text !== undefined && text !== '') {
    return {
      body: /^application\/(?:[\w.+-]*\+)?json\b/i.test(mediaType)
        ? { mode: 'json' as const, text: literal(text) }
        : { mode: 'raw' as const, text: literal(text), mediaType },
    }
  }
  if (params.length === 0) return {}
  if (/^multipart\//i.test(mediaType)) {
    const parts = params.flatMap((param) => {
      const type = textIn(param, 'contentType')
      if (textIn(param, 'fileName') === undefined)
        return [
          {
            ...pair(literal(textIn(param, 'name') ?? ''), literal(textIn(param, 'value') ?? '')),
            ...(type && { mediaType: type }),
          },
        ]
      problem(`the file of ${textIn(param, 'name') ?? 'a part'} is not in the archive`)
      return []
    })
    return { body: { mode: 'multipart' as const, parts } }
  }
  return {
    body: {
      mode: 'form' as const,
      fields: params.map((param) => pair(literal(textIn(param, 'name') ?? ''), literal(textIn(param, 'value') ?? ''))),
    },
  }
}

/** Some browsers write bodies in Base64. Binary bodies cannot be stored as text. */
const textOf = (data: unknown, problem: (reason: string) => void): string | undefined => {
  const text = textIn(data, 'text')
  if (text === undefined || textIn(data, 'encoding')?.toLowerCase() !== 'base64') return text
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'base64'))
  } catch {
    problem('its body is not text and was left out')
    return undefined
  }
}
