import { Button, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { DialogForm } from '../../../ui/dialogs/DialogForm.tsx'
import { IconPlus } from '../../../ui/icons.tsx'
import { type Entry, languagesOf, nameOfLanguage } from '../entries.tsx'
import classes from '../library.module.css'

interface EntryViewsProps {
  entry: Entry
  /** `versions`, or a language. */
  shown: string
  isWritable: boolean
  onAdd: (language: string) => void
}

/** The languages and the versions of an entry, as links. */
export const EntryViews = ({ entry, shown, isWritable, onAdd }: EntryViewsProps) => {
  const { slug } = useOrganization()
  const [isAdding, setAdding] = useState(false)
  const address = paths.libraryEntry(slug, entry.id)
  const languages = languagesOf(entry)
  const link = (name: string, label: string, search: object) => (
    <Link
      key={name}
      to={address}
      search={search as never}
      className={classes.view}
      {...(shown === name && { 'data-active': true, 'aria-current': 'page' })}
    >
      {label}
    </Link>
  )
  return (
    <nav className={classes.views} aria-label="Views of the entry">
      {[...new Set([...languages, ...(shown === 'versions' ? [] : [shown])])].map((language) =>
        link(language, nameOfLanguage(language), { language }),
      )}
      {isWritable && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => setAdding(true)}
          my="auto"
        >
          Add language
        </Button>
      )}
      {!entry.builtIn &&
        entry.fromFindingId === null &&
        link('versions', `Versions (${entry.version})`, { view: 'versions' })}
      {isAdding && (
        <Dialog opened onClose={() => setAdding(false)} title="Add language">
          <AddLanguage
            known={languages}
            onClose={() => setAdding(false)}
            onAdd={(language) => {
              setAdding(false)
              onAdd(language)
            }}
          />
        </Dialog>
      )}
    </nav>
  )
}

/** As the contract has it. */
const LANGUAGE = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/

const AddLanguage = ({
  known,
  onClose,
  onAdd,
}: {
  known: readonly string[]
  onClose: () => void
  onAdd: (language: string) => void
}) => {
  const [language, setLanguage] = useState('')
  const wanted = language.trim()
  const barred = !LANGUAGE.test(wanted)
    ? 'Enter a language code such as de or pt-BR.'
    : known.includes(wanted)
      ? 'The entry already has this language.'
      : false
  return (
    <DialogForm submitLabel="Write the texts" onSubmit={() => onAdd(wanted)} onCancel={onClose} disabled={barred}>
      <TextInput
        label="Language"
        description={
          wanted !== '' && barred === false ? nameOfLanguage(wanted) : 'A language code such as de or pt-BR.'
        }
        maxLength={35}
        value={language}
        data-autofocus
        onChange={({ currentTarget }) => setLanguage(currentTarget.value)}
      />
    </DialogForm>
  )
}
