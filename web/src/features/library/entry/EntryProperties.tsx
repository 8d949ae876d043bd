import { TagsInput, Text } from '@mantine/core'
import { scoreOf } from '@sortie/contract/inventory/cvss.ts'
import { SeverityLabel } from '../../../domain/SeverityLabel.tsx'
import { useFieldDefinitions, writtenOf } from '../../../shell/fields/custom/custom-fields.ts'
import { CustomFields, TextValue } from '../../../shell/fields/custom/CustomFields.tsx'
import { Classification } from '../../../shell/fields/rating/Classification.tsx'
import { SeverityFields } from '../../../shell/fields/rating/SeverityFields.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { Properties } from '../../../ui/lists/Properties.tsx'
import { CopyId } from '../../../ui/values/CopyId.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { type Entry, languagesOf, nameOfLanguage } from '../entries.tsx'
import classes from '../library.module.css'
import { RuleList, Rules } from './Rules.tsx'
import { useSetEntry } from './use-set-entry.ts'

/** Properties of an entry; those that may change are saved one by one. */
export const EntryProperties = ({ entry, isWritable }: { entry: Entry; isWritable: boolean }) => (
  <aside className={classes.properties} aria-label="Properties">
    {isWritable ? <Editable entry={entry} /> : <ReadOnly entry={entry} />}
    {entry.builtIn && (
      <Text size="sm" c="dimmed">
        Built-in entries are read-only. Duplicate this one to change it: your copy takes precedence in suggestions once
        it is approved.
      </Text>
    )}
    <Properties
      items={[
        [
          'Used',
          entry.usedCount === 0
            ? 'Not yet'
            : entry.usedCount === 1
              ? 'In 1 finding'
              : `In ${entry.usedCount.toLocaleString('en')} findings`,
        ],
        ['Version', entry.version],
        ...(isWritable
          ? []
          : ([
              [
                'Key',
                <span key="key" className="mono">
                  {entry.key}
                </span>,
              ],
            ] as const)),
        ...(entry.builtIn
          ? []
          : ([
              ['Created', <TimeAgo key="created" iso={entry.createdAt} />],
              ['By', entry.createdBy?.name ?? 'API key'],
              ['Changed', <TimeAgo key="changed" iso={entry.updatedAt} />],
            ] as const)),
        ['Id', <CopyId key="id" id={entry.id} />],
      ]}
    />
  </aside>
)

const Editable = ({ entry: stored }: { entry: Entry }) => {
  const { entry, set } = useSetEntry(stored)
  return (
    <>
      <SeverityFields severity={entry.severity} cvssVector={entry.cvssVector} onChange={set} disabled={false} />
      <Classification values={entry} onChange={set} disabled={false} />
      <TagsInput label="Tags" value={entry.tags} maxTags={50} onChange={(tags) => set({ tags })} />
      <Rules rules={entry.rules} onChange={(rules) => set({ rules })} />
      {entry.languages.length > 1 && (
        <Choice
          label="Main language"
          data={languagesOf(entry).map((value) => ({ value, label: nameOfLanguage(value) }))}
          value={entry.mainLanguage}
          onChange={(chosen) => set({ mainLanguage: chosen })}
        />
      )}
      <TextValue
        label="Key"
        description="Its name in imports and exports."
        maxLength={40}
        value={entry.key}
        onTake={(key) => key && set({ key })}
      />
      <CustomFields
        objectType="library_entry"
        values={writtenOf(entry.fields)}
        savesEach
        onChange={(key, value) => set({ fields: { [key]: value } }, {})}
      />
    </>
  )
}

const ReadOnly = ({ entry }: { entry: Entry }) => {
  const definitions = useFieldDefinitions('library_entry')
  const score = entry.cvssVector === null ? undefined : scoreOf(entry.cvssVector)
  const ids = [
    ['CWE', entry.cwe],
    ['OWASP', entry.owasp],
    ['WSTG', entry.wstg],
    ['ATT&CK', entry.attack],
    ['Tags', entry.tags],
  ] as const
  const ofFields = definitions.flatMap(({ key, label }) => {
    const value = entry.fields[key]
    return value === undefined
      ? []
      : [[label, typeof value === 'object' && !Array.isArray(value) ? value.name : String(value)] as const]
  })
  return (
    <>
      <Properties
        items={[
          ['Severity', <SeverityLabel key="severity" severity={entry.severity} />],
          ...(entry.cvssVector === null
            ? []
            : ([
                [
                  'CVSS',
                  <span
                    key="cvss"
                    className="mono"
                  >{`${score?.toFixed(1) ?? ''} ${entry.cvssVector.replaceAll('/', '/\u200b')}`}</span>,
                ],
              ] as const)),
          ...ids.flatMap(([name, values]) => (values.length === 0 ? [] : [[name, values.join(', ')] as const])),
          ...ofFields,
        ]}
      />
      <RuleList rules={entry.rules} />
    </>
  )
}
