import { createHash } from 'node:crypto'
import { escapeHtml } from '../../text/text.ts'
import type { OpenApiDocument, Operation } from '../openapi/openapi.ts'
import { fieldsOf, type JsonSchema, rulesOf } from './reference-fields.ts'
import { REFERENCE_STYLE } from './reference-style.ts'

interface Content {
  schema: JsonSchema
  example?: unknown
  examples?: Record<string, { value: { error: { code: string; message: string } } }>
}

interface Answer {
  $ref?: string
  description: string
  /** By media type; a file is not JSON. Absent for an answer without a body. */
  content?: Record<string, Content>
}

interface Parameter {
  $ref?: string
  name: string
  in: string
  required: boolean
  description?: string
  schema: JsonSchema
}

/** Renders the API reference as one page, without scripts and external resources. */
export const renderReference = (document: OpenApiDocument): { html: Buffer; contentSecurityPolicy: string } => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const chapters = document.tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ operation }) => operation.tags.includes(tag.name)),
  }))
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(document.info.title)} reference</title>
<link rel="icon" href="data:,">
<style>${REFERENCE_STYLE}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<nav aria-label="Contents">
<p class="brand"><a href="#top">${escapeHtml(document.info.title)}</a> <span>${escapeHtml(document.info.version)}</span></p>
<ul>${headingsOf(document.info.description)
    .map((heading) => `<li><a href="#${anchor(heading)}">${escapeHtml(heading)}</a></li>`)
    .join('')}</ul>
${chapters
  .map(
    (chapter) => `<p>${escapeHtml(chapter.name)}</p>
<ul>${chapter.operations.map(({ operation, method }) => `<li><a href="#${operation.operationId}"><b class="${method}">${method}</b> ${operation.operationId}</a></li>`).join('')}</ul>`,
  )
  .join('\n')}
<ul><li><a href="#decisions">Decisions on open points</a></li><li><a href="v1/openapi.json">openapi.json</a></li></ul>
</nav>
<main id="content">
<h1 id="top">${escapeHtml(document.info.title)} <small>${escapeHtml(document.info.version)}</small></h1>
${markdown(document.info.description)}
${chapters
  .map(
    (chapter) => `<h2 id="${anchor(chapter.name)}">${escapeHtml(chapter.name)}</h2>
${markdown(chapter.description)}
${chapter.operations.map(({ path, method, operation }) => renderOperation(document, path, method, operation)).join('\n')}`,
  )
  .join('\n')}
<h2 id="decisions">Decisions on open points</h2>
<p>Where the specification leaves a point open, this project has decided it as follows.</p>
<ol class="decisions">${document['x-decisions']
    .map(
      ({ openPoint, point, decision }) =>
        `<li value="${openPoint}" id="open-point-${openPoint}"><b>${inline(point)}.</b> ${inline(decision)}</li>`,
    )
    .join('\n')}</ol>
</main>
</body>
</html>
`
  const styleHash = createHash('sha256').update(REFERENCE_STYLE).digest('base64')
  return {
    html: Buffer.from(html),
    contentSecurityPolicy: `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  }
}

const JSON_TYPE = 'application/json'

const renderSuccess = (
  document: OpenApiDocument,
  operationId: string,
  status: string | undefined,
  { content }: Answer,
): string => {
  if (!content) return `<p>The answer is ${status}, without a body.</p>`
  const json = content[JSON_TYPE]
  return json
    ? renderFields(document, operationId, `Answer ${status}`, json.schema)
    : '<p>The answer is the file itself.</p>'
}

const renderOperation = (document: OpenApiDocument, path: string, method: string, operation: Operation): string => {
  const scope = operation['x-scope'] as string | undefined
  const setting = operation['x-scope-setting'] as string | undefined
  const request = (operation['requestBody'] as Pick<Answer, 'content'> | undefined)?.content
  const body = request?.[JSON_TYPE]
  const answers = Object.entries(operation.responses).map(([status, answer]) => ({
    status,
    answer: resolve(document, 'responses', answer as unknown as Answer),
  }))
  const success = answers[0]?.answer as Answer
  const parameters = ((operation['parameters'] ?? []) as Parameter[]).map((parameter) =>
    resolve(document, 'parameters', parameter),
  )
  return `<section aria-labelledby="${operation.operationId}">
<h3 id="${operation.operationId}"><a href="#${operation.operationId}">${operation.operationId}</a></h3>
<p class="path"><b class="${method}">${method}</b> <code>${escapeHtml(path).replaceAll('/', '/<wbr>')}</code></p>
<p>${inline(operation.summary)}${operation.description ? ` ${inline(operation.description)}` : ''}</p>
<p class="facts"><span>${operation['x-origin'] as string}</span> ${
    scope === undefined
      ? '<span>no key</span>'
      : `<span>${scope === '*' ? 'any key' : `scope <code>${escapeHtml(scope)}</code>`}</span>`
  }${setting ? ` <span>set by <code>${setting}</code></span>` : ''}</p>
${table(
  operation.operationId,
  'Parameters',
  ['Name', 'In', 'Rules'],
  parameters.map((parameter) => [
    `<code>${parameter.name}</code>${parameter.required ? ' <em>required</em>' : ''}`,
    parameter.in,
    rules(parameter.schema, parameter.description),
  ]),
)}
${body ? renderFields(document, operation.operationId, 'Request body', body.schema) + sample('Example request', body.example) : ''}
${sample('With curl', curl(path, method, parameters, scope !== undefined, request))}
${renderSuccess(document, operation.operationId, answers[0]?.status, success)}
${sample('Example answer', success.content?.[JSON_TYPE]?.example)}
${table(
  operation.operationId,
  'Other answers',
  ['Status', 'When', 'Messages such as'],
  answers.slice(1).map(({ status, answer }) => [status, inline(answer.description), messages(answer)]),
)}
</section>`
}

const renderFields = (document: OpenApiDocument, owner: string, caption: string, schema: JsonSchema): string =>
  table(
    owner,
    caption,
    ['Field', 'Rules'],
    fieldsOf(document, schema).map((field) => [
      `<code>${escapeHtml(field.name).replaceAll('.', '.<wbr>')}</code>${field.optional ? ' <em>optional</em>' : ''}`,
      rules(field.schema),
    ]),
  )

const rules = (schema: JsonSchema, description = schema.description): string =>
  [...rulesOf(schema), ...(description ? [description] : [])].map(inline).join('; ')

const messages = (answer: Answer): string => {
  const examples = answer.content?.[JSON_TYPE]?.examples ?? {}
  const stated = Object.values(examples).map(({ value }) => value.error)
  return stated.length === 0
    ? ''
    : `<code>${stated[0]?.code}</code><ul>${stated.map(({ message }) => `<li>${escapeHtml(message)}</li>`).join('')}</ul>`
}

/** `owner` distinguishes this table's region from those of other operations. */
const table = (owner: string, caption: string, head: string[], rows: string[][]): string =>
  rows.length === 0
    ? ''
    : `<div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(`${owner}: ${caption}`)}"><table><caption>${escapeHtml(caption)}</caption><thead><tr>${head.map((cell) => `<th scope="col">${cell}</th>`).join('')}</tr></thead>
<tbody>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n')}</tbody></table></div>`

/** Shows a text as it is, other values as JSON. */
const sample = (label: string, value: unknown): string => {
  if (value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return `<details><summary>${label}</summary><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></details>`
}

/** The request as a curl command, with the variables of the README. */
const curl = (
  path: string,
  method: string,
  parameters: readonly Parameter[],
  needsKey: boolean,
  content: Answer['content'] | undefined,
): string => {
  const exampleOf = (name: string): unknown => {
    const schema = parameters.find((parameter) => parameter.name === name)?.schema
    return schema?.examples?.[0] ?? schema?.enum?.[0]
  }
  const given = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name }) => `${name}=${encodeURIComponent(String(exampleOf(name)))}`)
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    exampleOf(name) === undefined ? name : String(exampleOf(name)),
  )
  const body = content?.[JSON_TYPE]?.example
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$BASE${url}${given.length > 0 ? `?${given.join('&')}` : ''}"`,
    ...(needsKey ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`]),
    ...(content && !content[JSON_TYPE] ? [`-H 'Content-Type: application/octet-stream'`, '--data-binary @file'] : []),
  ].join(' \\\n  ')
}

const resolve = <T extends { $ref?: string }>(
  document: OpenApiDocument,
  kind: 'parameters' | 'responses',
  value: T,
): T => (value.$ref ? (document.components[kind]?.[value.$ref.split('/').at(-1) as string] as T) : value)

/** Converts the few Markdown marks that the document's texts use. */
const markdown = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((block) => {
      if (block.startsWith('## ')) return `<h2 id="${anchor(block.slice(3))}">${inline(block.slice(3))}</h2>`
      return block.startsWith('| ') ? markdownTable(block) : `<p>${inline(block)}</p>`
    })
    .join('\n')

const markdownTable = (block: string): string => {
  const [head, , ...rows] = block.split('\n').map((line) => line.split('|').slice(1, -1))
  const row = (cells: readonly string[] = [], tag: 'th' | 'td') =>
    `<tr>${cells.map((cell) => `<${tag}>${inline(cell.trim())}</${tag}>`).join('')}</tr>`
  return `<table>${row(head, 'th')}${rows.map((cells) => row(cells, 'td')).join('')}</table>`
}

const inline = (text: string): string =>
  escapeHtml(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/open point (\d+)/g, '<a href="#open-point-$1">open point $1</a>')
    .replace(
      /open points (\d+) and (\d+)/g,
      'open points <a href="#open-point-$1">$1</a> and <a href="#open-point-$2">$2</a>',
    )

const headingsOf = (text: string): string[] => [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading as string)

const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
