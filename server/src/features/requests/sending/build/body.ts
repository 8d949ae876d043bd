import { randomBytes } from 'node:crypto'
import { invalid } from '../../../../platform/errors.ts'
import type { OpenedFile } from '../../../../platform/files/storage.ts'
import type { Body } from '../../saved/definition.ts'
import { inJson, type Variables } from './variables.ts'

/** A file of the request, to be opened for sending. */
export interface BodyFile {
  fileName: string
  /** Bytes. */
  size: number
  open(): Promise<OpenedFile>
}

/** @throws ApiError VALIDATION_ERROR for a file that is not attached to the request */
export type FindFile = (field: string, fileId: string) => Promise<BodyFile>

type Part = Buffer | BodyFile

/** The body that is sent; it can be read again for each hop. */
export interface SentBody {
  /** Used if the request sets none. */
  mediaType: string
  /** Bytes. */
  length: number
  read(): AsyncIterable<Buffer>
  /** For display; omits the contents of files. */
  text: string
}

/** @throws ApiError VALIDATION_ERROR for an unknown variable or file, or a name with a line break */
export const buildBody = async (
  body: Body,
  variables: Variables,
  findFile: FindFile,
): Promise<SentBody | undefined> => {
  if (body.mode === 'none') return undefined
  if (body.mode === 'file') return fileBody(body, variables, findFile)
  if (body.mode === 'multipart') return multipartBody(body, variables, findFile)
  if (body.mode === 'form') {
    const fields = (body.fields ?? []).filter(({ enabled }) => enabled)
    const form = new URLSearchParams(
      fields.map(({ name, value }, index): [string, string] => [
        variables.fill(name, `body.fields.${index}.name`),
        variables.fill(value, `body.fields.${index}.value`),
      ]),
    )
    return bodyOf('application/x-www-form-urlencoded', [Buffer.from(form.toString())])
  }
  const isJson = body.mode === 'json'
  const text = variables.fill(body.text ?? '', 'body.text', isJson ? inJson() : undefined)
  return bodyOf(
    isJson ? 'application/json' : mediaTypeOf('body', body.mediaType, variables, 'text/plain; charset=utf-8'),
    [Buffer.from(text)],
  )
}

const fileBody = async ({ fileId, mediaType }: Body, variables: Variables, findFile: FindFile): Promise<SentBody> =>
  bodyOf(mediaTypeOf('body', mediaType, variables, 'application/octet-stream'), [
    await findFile('body.fileId', fileId as string),
  ])

const multipartBody = async ({ parts = [] }: Body, variables: Variables, findFile: FindFile): Promise<SentBody> => {
  const boundary = `sortie-${randomBytes(16).toString('hex')}`
  const content: Part[] = []
  for (const [index, part] of parts.entries()) {
    if (!part.enabled) continue
    const field = `body.parts.${index}`
    const file = part.fileId === undefined ? undefined : await findFile(`${field}.fileId`, part.fileId)
    const fileName = part.fileName ?? file?.fileName
    const disposition = [`form-data; name="${quoted(variables.fill(part.name, `${field}.name`))}"`]
    if (fileName !== undefined) disposition.push(`filename="${quoted(variables.fill(fileName, `${field}.fileName`))}"`)
    const type = mediaTypeOf(field, part.mediaType, variables, file ? 'application/octet-stream' : '')
    const head = [
      `--${boundary}`,
      `Content-Disposition: ${disposition.join('; ')}`,
      ...(type ? [`Content-Type: ${type}`] : []),
      '',
      '',
    ]
    content.push(
      Buffer.from(head.join('\r\n')),
      file ?? Buffer.from(variables.fill(part.value ?? '', `${field}.value`)),
      Buffer.from('\r\n'),
    )
  }
  return bodyOf(`multipart/form-data; boundary=${boundary}`, [...content, Buffer.from(`--${boundary}--\r\n`)])
}

/** Escapes names in multipart bodies like browsers do (HTML, "multipart/form-data"). */
const quoted = (name: string): string => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const mediaTypeOf = (field: string, mediaType: string | undefined, variables: Variables, fallback: string): string => {
  const type = mediaType ? variables.fill(mediaType, `${field}.mediaType`) : fallback
  if (/[^\t\x20-\x7e]/.test(type)) throw invalid(`${field}.mediaType: must have no line breaks, and be ASCII`)
  return type
}

const bodyOf = (mediaType: string, parts: readonly Part[]): SentBody => ({
  mediaType,
  length: parts.reduce((sum, part) => sum + ('size' in part ? part.size : part.length), 0),
  read: async function* () {
    for (const part of parts) {
      if ('size' in part) yield* readFile(part)
      else if (part.length > 0) yield part
    }
  },
  text: parts
    .map((part) => ('size' in part ? `<${part.fileName}, ${part.size} bytes>` : part.toString('utf8')))
    .join(''),
})

const readFile = async function* (file: BodyFile): AsyncIterable<Buffer> {
  const handle = await file.open()
  // The stream closes the file, also if its reader stops early.
  yield* handle.createReadStream() as AsyncIterable<Buffer>
}
