import { ActionIcon, Button, Checkbox, Group, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../../../api/api.ts'
import { useSend } from '../../../../api/use-send.ts'
import { LIVE_LABELS, LIVE_SENTENCES } from '../../../../domain/reports/live-sections.ts'
import { languageOptions, nameOfLanguage } from '../../../../domain/reports/report-words.tsx'
import { PageForm } from '../../../../forms/Form.tsx'
import { MarkdownField } from '../../../../forms/texts/MarkdownField.tsx'
import { useDraftForm } from '../../../../forms/use-draft-form.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { usePlaceholders } from '../../../../shell/fields/custom/use-placeholders.ts'
import { Choice } from '../../../../ui/fields/Choice.tsx'
import { IconArrowUp, IconPlus } from '../../../../ui/icons.tsx'
import { IconArrowDown, IconBolt, IconEyeOff, IconTrash } from '../../../../ui/page-icons.tsx'
import { toast } from '../../../../ui/toasts/toast.ts'
import { optionsOf } from '../../../../ui/values/options-of.ts'
import classes from '../../report-templates.module.css'
import { staleTemplateReads, type Template, type TemplateSection } from '../../template-words.tsx'

interface SectionsFormProps {
  template: Template
  language: string | undefined
  onLanguage: (language: string) => void
}

const savedOf = ({ sections, updatedAt }: Template) => ({ values: { sections }, version: updatedAt })

const TEXT = 'text'

/** The sections that new reports begin with, in each language of the template. */
export const SectionsForm = ({ template, language: wanted, onLanguage }: SectionsFormProps) => {
  const { id } = useOrganization()
  const cache = useQueryClient()
  const placeholders = usePlaceholders()
  const params = { templateId: template.id }
  const [index, setIndex] = useState(0)
  const send = useSend(id, 'updateReportTemplate', staleTemplateReads(id))
  const form = useDraftForm({
    draft: `report-template/${template.id}/sections`,
    saved: savedOf(template),
    send: (values, ifUpdatedAt) => send({ params, body: { ...values, ...(ifUpdatedAt && { ifUpdatedAt }) } }),
    savedBy: ({ data }) => savedOf(data),
    reread: async () => savedOf((await cache.fetchQuery(query(id, 'getReportTemplate', { params, query: {} }))).data),
    onSaved: () => toast('Saved.'),
  })
  const all = form.values.sections
  const languages = Object.keys(all).toSorted((a, b) => Number(b === 'en') - Number(a === 'en'))
  const language = wanted ?? languages[0] ?? 'en'
  const sections = all[language] ?? []
  const shown = sections[Math.min(index, sections.length - 1)]
  const at = shown ? sections.indexOf(shown) : -1
  const isReadOnly = template.builtIn
  const replace = (next: TemplateSection[]) => form.setFieldValue('sections', { ...all, [language]: next })
  const set = (change: Partial<TemplateSection>) =>
    replace(sections.map((section, place) => (place === at ? { ...section, ...change } : section)))
  const add = () => {
    replace([...sections, { key: freeKey(sections), title: 'New section', body: '', live: null, hidden: false }])
    setIndex(sections.length)
  }
  const move = (by: 1 | -1) => {
    if (!shown || at + by < 0 || at + by >= sections.length) return
    replace(sections.toSpliced(at, 1).toSpliced(at + by, 0, shown))
    setIndex(at + by)
  }
  return (
    <PageForm
      form={form}
      labels={{ sections: 'Sections' }}
      submitLabel="Save"
      disabled={isReadOnly || !form.hasChanges}
    >
      <Group gap="xs" align="flex-end">
        <Choice
          label="Language"
          data={languageOptions(languages)}
          value={language}
          onChange={(next) => {
            setIndex(0)
            onLanguage(next)
          }}
        />
        {sections.length === 0 && !isReadOnly && languages.length > 0 && (
          <Button variant="default" onClick={() => replace(all[languages[0] ?? ''] ?? [])}>
            {`Start with those in ${nameOfLanguage(languages[0] ?? 'en')}`}
          </Button>
        )}
      </Group>
      <div className={classes.sections}>
        <div>
          <ol className={classes.list} aria-label={`Sections in ${nameOfLanguage(language)}`}>
            {sections.map((section, place) => (
              <li key={section.key}>
                <button
                  type="button"
                  className={classes.entry}
                  data-quiet={section.hidden || undefined}
                  {...(place === at && { 'aria-current': 'true' as const })}
                  onClick={() => setIndex(place)}
                >
                  <span>{section.title || section.key}</span>
                  {section.hidden ? (
                    <IconEyeOff size={13} aria-label="hidden" />
                  ) : (
                    section.live && <IconBolt size={13} aria-label="filled from the engagement" />
                  )}
                </button>
              </li>
            ))}
          </ol>
          {!isReadOnly && (
            <Button variant="subtle" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
              Add a section
            </Button>
          )}
        </div>
        {shown && (
          <fieldset key={`${language} ${at}`} disabled={isReadOnly} className={classes.fields}>
            <Group gap="xs" align="flex-end" wrap="nowrap">
              <TextInput
                label="Title"
                maxLength={300}
                style={{ flex: 1 }}
                value={shown.title}
                onChange={({ currentTarget }) => set({ title: currentTarget.value })}
              />
              <ActionIcon size={30} aria-label="Move up" disabled={at === 0} onClick={() => move(-1)}>
                <IconArrowUp size={15} aria-hidden />
              </ActionIcon>
              <ActionIcon
                size={30}
                aria-label="Move down"
                disabled={at === sections.length - 1}
                onClick={() => move(1)}
              >
                <IconArrowDown size={15} aria-hidden />
              </ActionIcon>
              <ActionIcon size={30} aria-label="Remove the section" onClick={() => replace(sections.toSpliced(at, 1))}>
                <IconTrash size={15} aria-hidden />
              </ActionIcon>
            </Group>
            <div className={classes.pair}>
              <Choice
                label="Content"
                data={[{ value: TEXT, label: 'Text' }, ...optionsOf(LIVE_LABELS)]}
                value={shown.live?.type ?? TEXT}
                onChange={(next) => set({ live: next === TEXT ? null : { type: next } })}
              />
              <TextInput
                label="Key"
                description="Its name in code and exports."
                maxLength={64}
                value={shown.key}
                onChange={({ currentTarget }) => set({ key: currentTarget.value })}
              />
            </div>
            <Checkbox
              label="Hidden in new reports"
              checked={shown.hidden}
              onChange={({ currentTarget }) => set({ hidden: currentTarget.checked })}
            />
            {shown.live ? (
              <Text size="sm" c="dimmed">
                {LIVE_SENTENCES[shown.live.type]}
              </Text>
            ) : (
              <MarkdownField
                label="Text"
                value={shown.body}
                onChange={(body) => set({ body })}
                placeholders={placeholders}
              />
            )}
          </fieldset>
        )}
      </div>
    </PageForm>
  )
}

/** `section`, `section_2` */
const freeKey = (sections: readonly TemplateSection[]): string => {
  const keys = new Set(sections.map(({ key }) => key))
  for (let number = 1; ; number++) {
    const key = number === 1 ? 'section' : `section_${number}`
    if (!keys.has(key)) return key
  }
}
