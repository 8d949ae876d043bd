import { Button, FileButton, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call, messageOf } from '../../../../api/api.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { FormError } from '../../../../ui/fields/FormError.tsx'
import { IconUpload } from '../../../../ui/page-icons.tsx'
import { formatBytes } from '../../../../ui/values/format-bytes.ts'
import classes from '../../report-templates.module.css'
import { type CheckOutcome, staleTemplateReads, type Template } from '../../template-words.tsx'
import { Problems } from '../check/CheckPanel.tsx'

interface TemplateFilesProps {
  template: Template
  outcome: CheckOutcome | undefined
  onChecked: (outcome: CheckOutcome) => void
}

/** The Word template, the logo and the fonts of a template. */
export const TemplateFiles = ({ template, outcome, onChecked }: TemplateFilesProps) => {
  const { id } = useOrganization()
  const params = { templateId: template.id }
  const isReadOnly = template.builtIn
  const word = useUpload(async (file) => {
    await call(id, 'uploadTemplateDocx', { params, query: { fileName: file.name }, body: file }, { retries: 0 })
    // Word says nothing about wrong tags: the check lists all of them at once.
    onChecked((await call(id, 'checkReportTemplate', { params, body: {} }, { retries: 0 })).data)
  })
  const logo = useUpload((file) =>
    call(id, 'uploadTemplateLogo', { params, query: { fileName: file.name }, body: file }, { retries: 0 }),
  )
  const font = useUpload((file) =>
    call(id, 'uploadTemplateFont', { params, query: { fileName: file.name }, body: file }, { retries: 0 }),
  )
  const ofWord = outcome?.problems.filter(({ tag }) => tag !== null) ?? []
  return (
    <div className={classes.fields}>
      <Part
        title="Word template"
        description="Word files are written in the styles of this file. Tags such as {title} and {#findings} name what is inserted."
      >
        <FileLine
          name={template.docx?.fileName ?? 'The built-in Word template'}
          note={template.docx && formatBytes(template.docx.size)}
          label="Upload .docx"
          accept=".docx"
          upload={word}
          isReadOnly={isReadOnly}
        />
        <Problems problems={ofWord} />
      </Part>
      <Part title="Logo" description="PNG, JPEG, GIF, WebP or AVIF, on the cover and in the page header.">
        <FileLine
          name={template.logo?.fileName ?? 'No logo'}
          note={template.logo && formatBytes(template.logo.size)}
          label="Upload a logo"
          accept="image/png,image/jpeg,image/gif,image/webp,image/avif"
          upload={logo}
          isReadOnly={isReadOnly}
        />
      </Part>
      <Part
        title="Fonts"
        description="TTF or OTF files. PDF files embed them; the settings choose where they are used."
      >
        {template.fonts.map(({ fileName, family, size }) => (
          <div key={fileName} className={classes.file}>
            <span>{family}</span>
            <span className={classes.dimmed}>
              {fileName}, {formatBytes(size)}
            </span>
          </div>
        ))}
        <FileLine
          name={template.fonts.length === 0 ? 'No fonts of its own' : 'Another font'}
          note={null}
          label="Upload a font"
          accept=".ttf,.otf"
          upload={font}
          isReadOnly={isReadOnly}
        />
      </Part>
    </div>
  )
}

const useUpload = (send: (file: File) => Promise<unknown>) => {
  const { id } = useOrganization()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSettled: () => Promise.all(staleTemplateReads(id).map((queryKey) => cache.invalidateQueries({ queryKey }))),
  })
}

interface FileLineProps {
  name: string
  note: string | null
  label: string
  accept: string
  upload: ReturnType<typeof useUpload>
  isReadOnly: boolean
}

const FileLine = ({ name, note, label, accept, upload, isReadOnly }: FileLineProps) => (
  <>
    <div className={classes.file}>
      <span>
        {name} {note !== null && <span className={classes.dimmed}>{note}</span>}
      </span>
      {!isReadOnly && (
        <FileButton accept={accept} onChange={(file) => file && upload.mutate(file)}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              loading={upload.isPending}
              leftSection={<IconUpload size={14} aria-hidden />}
            >
              {label}
            </Button>
          )}
        </FileButton>
      )}
    </div>
    <FormError message={upload.error ? messageOf(upload.error) : undefined} />
  </>
)

const Part = ({ title, description, children }: { title: string; description: string; children: ReactNode }) => (
  <section className={classes.group} aria-label={title}>
    <div>
      <h2>{title}</h2>
      <Text size="sm" c="dimmed">
        {description}
      </Text>
    </div>
    {children}
  </section>
)
