import type { RenderFormat } from '@sortie/contract/reports/report-renders.ts'
import { fileNameFrom } from '../../report-templates/file-name-pattern.ts'
import type { Renderable } from './read-renderable.ts'

const ENDINGS: Readonly<Record<RenderFormat, string>> = {
  pdf: 'pdf',
  html: 'html',
  docx: 'docx',
  markdown: 'zip',
  json: 'json',
  sarif: 'sarif',
}

/** The name of a file by the pattern of the template, or of the organization. */
export const fileNameOf = ({ document: { data }, fileNamePattern }: Renderable, format: RenderFormat): string => {
  const { report, client, engagement, language } = data
  const name = fileNameFrom(fileNamePattern, {
    client: client.shortName || client.name,
    engagement: engagement.name,
    title: report.title,
    kind: report.kind,
    version: report.version,
    date: report.date,
    language,
  })
  return `${name}.${ENDINGS[format]}`
}
