import { Button, Group, Text } from '@mantine/core'
import { TYPST_FUNCTIONS } from '@sortie/contract/reports/report-templates.ts'
import { useQueryClient } from '@tanstack/react-query'
import { query } from '../../../../api/api.ts'
import { useSend } from '../../../../api/use-send.ts'
import { PageForm } from '../../../../forms/Form.tsx'
import { useDraftForm } from '../../../../forms/use-draft-form.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { toast } from '../../../../ui/toasts/toast.ts'
import classes from '../../report-templates.module.css'
import { type CheckOutcome, staleTemplateReads, type Template } from '../../template-words.tsx'
import { SourceField } from './SourceField.tsx'

interface TypstFilesProps {
  template: Template
  outcome: CheckOutcome | undefined
  /** Opened file, such as `cover.typ`. */
  file: string | undefined
  line: { number: number; at: number } | undefined
  onFile: (file: string) => void
}

const FILES = TYPST_FUNCTIONS.map((name) => `${name}.typ`)

const savedOf = ({ typst, updatedAt }: Template) => ({ values: { typst }, version: updatedAt })

/** Functions of the layout that a template replaces by its own Typst code, each in a file. */
export const TypstFiles = ({ template, outcome, file = FILES[0] ?? '', line, onFile }: TypstFilesProps) => {
  const { id } = useOrganization()
  const cache = useQueryClient()
  const params = { templateId: template.id }
  const send = useSend(id, 'updateReportTemplate', staleTemplateReads(id))
  const form = useDraftForm({
    draft: `report-template/${template.id}/typst`,
    saved: savedOf(template),
    send: ({ typst }, ifUpdatedAt) =>
      send({
        params,
        body: {
          typst: Object.fromEntries(Object.entries(typst).filter(([, source]) => source.trim() !== '')),
          ...(ifUpdatedAt && { ifUpdatedAt }),
        },
      }),
    savedBy: ({ data }) => savedOf(data),
    reread: async () => savedOf((await cache.fetchQuery(query(id, 'getReportTemplate', { params, query: {} }))).data),
    onSaved: () => toast('Saved.'),
  })
  const { typst } = form.values
  const problemsOf = (name: string) => outcome?.problems.filter((problem) => problem.file === name) ?? []
  const source = typst[file]
  const set = (text: string) => form.setFieldValue('typst', { ...typst, [file]: text })
  const remove = () => {
    const { [file]: _, ...others } = typst
    form.setFieldValue('typst', others)
  }
  return (
    <PageForm form={form} labels={{ typst: 'Code' }} submitLabel="Save" disabled={template.builtIn || !form.hasChanges}>
      <Text size="sm" c="dimmed">
        Replaces single functions of the layout by Typst code. Files that do not exist are those of the product. The
        reference lists the arguments of each function.
      </Text>
      <div className={classes.typst}>
        <ul className={classes.list} aria-label="Files of the code">
          {FILES.map((name) => {
            const problems = problemsOf(name).length
            return (
              <li key={name}>
                <button
                  type="button"
                  className={classes.entry}
                  data-quiet={!typst[name] || undefined}
                  {...(name === file && { 'aria-current': 'true' as const })}
                  onClick={() => onFile(name)}
                >
                  <span className="mono">{name}</span>
                  {problems > 0 && <span>{problems === 1 ? '1 problem' : `${problems} problems`}</span>}
                </button>
              </li>
            )
          })}
        </ul>
        <div>
          {source === undefined ? (
            <Group gap="sm">
              <Text size="sm">{file} is that of the product.</Text>
              {!template.builtIn && (
                <Button variant="default" onClick={() => set(startOf(file))}>
                  Replace it
                </Button>
              )}
            </Group>
          ) : (
            <>
              <SourceField
                key={file}
                label={file}
                value={source}
                isReadOnly={template.builtIn}
                onChange={set}
                problems={problemsOf(file)}
                line={line}
              />
              {!template.builtIn && (
                <Button variant="subtle" size="compact-sm" mt={6} onClick={remove}>
                  Use that of the product
                </Button>
              )}
            </>
          )}
        </div>
      </div>
    </PageForm>
  )
}

/** `cover.typ` → `#let cover(data) = [...]` */
const startOf = (file: string): string => {
  const name = file.slice(0, -'.typ'.length)
  return `// Replaces \`${name}\` of the built-in layout.\n#let ${name}(data) = [\n  \n]\n`
}
