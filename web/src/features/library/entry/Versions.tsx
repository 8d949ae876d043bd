import { Button, Group, Stack, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { SECTIONS } from '@sortie/contract/findings/finding-fields.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, query, useApiMutation } from '../../../api/api.ts'
import { rows } from '../../../api/rows.ts'
import { SECTION_LABELS } from '../../../domain/finding-words.tsx'
import { SEVERITY_LABELS } from '../../../domain/vulnerability-words.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { rowsOf, ShowMore, useParts } from '../../../shell/reads/parts.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { DiffLines } from '../../../ui/text-merge/DiffLines.tsx'
import { passagesBetween } from '../../../ui/text-merge/text-changes.ts'
import { toast, toastError } from '../../../ui/toasts/toast.ts'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { type Entry, nameOfLanguage, staleReads } from '../entries.tsx'
import classes from '../library.module.css'

type Version = Output<'getLibraryVersion'>['data']

/** The versions of an entry, newest first, and what the chosen one changed. */
export const Versions = ({ entry, isWritable }: { entry: Entry; isWritable: boolean }) => {
  const { id } = useOrganization()
  const list = useParts(rows(id, 'listLibraryVersions', { params: { entryId: entry.id } }))
  const [chosen, setChosen] = useState(entry.version)
  return (
    <QueryView query={list}>
      {(read) => (
        <div className={classes.versions}>
          <div>
            <ul className={classes.versionList}>
              {rowsOf(read).map(({ version, author, createdAt }) => (
                <li key={version}>
                  <Button
                    fullWidth
                    justify="flex-start"
                    variant={chosen === version ? 'light' : 'subtle'}
                    aria-pressed={chosen === version}
                    onClick={() => setChosen(version)}
                  >
                    <span>
                      Version {version} · <TimeAgo iso={createdAt} /> · {author?.name ?? 'API key'}
                    </span>
                  </Button>
                </li>
              ))}
            </ul>
            <ShowMore list={list} />
          </div>
          <section aria-label={`Version ${chosen}`} className={classes.main}>
            <Changes entry={entry} version={chosen} isWritable={isWritable} />
          </section>
        </div>
      )}
    </QueryView>
  )
}

const Changes = ({ entry, version, isWritable }: { entry: Entry; version: number; isWritable: boolean }) => {
  const { id } = useOrganization()
  const read = (number: number) =>
    query(id, 'getLibraryVersion', { params: { entryId: entry.id, version: String(number) } })
  const shown = useQuery(read(version))
  const before = useQuery({ ...read(version - 1), enabled: version > 1 })
  const restore = useApiMutation(id, 'updateLibraryEntry', {
    invalidates: staleReads(id),
    onSuccess: () => toast('Restored as a new version.'),
    onError: (error) => toastError(messageOf(error)),
  })
  const restored = ({ texts, severity, cvssVector, rules }: Version) => ({
    texts: { ...Object.fromEntries(entry.languages.map((language) => [language, null])), ...texts },
    severity,
    cvssVector,
    rules,
  })
  return (
    <>
      <Group justify="space-between">
        <Text fw={600}>Version {version}</Text>
        {isWritable && version !== entry.version && shown.data && (
          <Button
            size="xs"
            variant="default"
            loading={restore.isPending}
            onClick={() =>
              shown.data && restore.mutate({ params: { entryId: entry.id }, body: restored(shown.data.data) })
            }
          >
            Restore this version
          </Button>
        )}
      </Group>
      <QueryView query={shown}>
        {({ data }) =>
          version > 1 ? (
            <QueryView query={before}>
              {(previous) => <Differences changes={changesOf(previous.data, data)} />}
            </QueryView>
          ) : (
            <Differences changes={changesOf(undefined, data)} />
          )
        }
      </QueryView>
    </>
  )
}

interface Change {
  name: string
  before: string
  after: string
}

/** Everything that a version has, by name, as text. */
const linesOf = (version: Version | undefined): Map<string, string> => {
  const lines = new Map<string, string>()
  if (!version) return lines
  lines.set('Severity', SEVERITY_LABELS[version.severity])
  lines.set('CVSS vector', version.cvssVector ?? '')
  lines.set('Rules', version.rules.map(({ tool, ruleId }) => `${tool} ${ruleId}`).join('\n'))
  for (const [language, text] of Object.entries(version.texts)) {
    const name = nameOfLanguage(language)
    lines.set(`Title, ${name}`, text.title)
    for (const section of SECTIONS) lines.set(`${SECTION_LABELS[section]}, ${name}`, text[section])
    lines.set(`References, ${name}`, text.references.join('\n'))
  }
  return lines
}

const changesOf = (previous: Version | undefined, version: Version): Change[] => {
  const [old, now] = [linesOf(previous), linesOf(version)]
  return [...new Set([...now.keys(), ...old.keys()])]
    .map((name) => ({ name, before: old.get(name) ?? '', after: now.get(name) ?? '' }))
    .filter(({ before, after }) => before !== after)
}

const Differences = ({ changes }: { changes: readonly Change[] }) => (
  <Stack gap="md">
    {changes.map(({ name, before, after }) => (
      <section key={name} aria-label={name}>
        <Text fw={600} size="sm" mb={4}>
          {name}
        </Text>
        <DiffLines passages={passagesBetween(before, after)} />
      </section>
    ))}
  </Stack>
)
