import { Alert, Button, Group, Text } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../../../api/api.ts'
import { ButtonLink } from '../../../shell/routing/links.tsx'
import { toastError } from '../../../ui/feedback/toast.ts'
import {
  IconBold,
  IconCheckbox,
  IconCode,
  IconHeading,
  IconItalic,
  IconLink,
  IconList,
  IconPaperclip,
  IconTable,
} from '../../../ui/icons.tsx'
import { loadPart } from '../../../ui/load-part.ts'
import { SideBySide } from '../merge/SideBySide.tsx'
import { WikiText } from '../page/WikiText.tsx'
import { useWiki, type WikiPage } from '../wiki-tree.tsx'
import classes from '../wiki.module.css'
import type { OpenEditor } from './code-editor.ts'
import { findNameable } from './find-nameable.ts'
import { TABLE } from './table.ts'
import { markdownOf, uploadPageFile } from './upload-page-file.ts'
import { type SaveState, useAutosave } from './use-autosave.ts'

const STATE_LABELS: Record<SaveState, string> = {
  saved: 'Saved',
  typing: 'Not saved yet',
  saving: 'Saving …',
  waiting: 'The server cannot be reached. What you typed is kept in this browser and saved as soon as it can be.',
  conflict: 'Someone else changed the same lines.',
  refused: 'Not saved',
}

/** Delay between the last key and the preview update. */
const PREVIEW_MS = 200

/** Edits the text of a page. Saves automatically; unsaved text stays in this browser. */
export const PageEditor = ({ page, isWritable }: { page: WikiPage; isWritable: boolean }) => {
  const { organizationId, addressOf } = useWiki()
  const router = useRouter()
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<OpenEditor>(undefined)
  const [isPreviewed, setPreviewed] = useState(false)
  const autosave = useAutosave(organizationId, page, editor)
  const { state, reason, theirs, resolve, mine } = autosave
  const latest = useRef(autosave)
  latest.current = autosave

  // Resends refused text after the page is restored or write access returns.
  useEffect(() => {
    if (isWritable) void latest.current.save()
  }, [isWritable])

  const picker = useRef<HTMLInputElement>(null)
  const [previewed, setPreviewedText] = useState(page.body)
  const showLater = useDebouncedCallback(() => setPreviewedText(mine()), PREVIEW_MS)
  const showTyped = useRef(showLater)
  showTyped.current = showLater
  // Also shows text merged from others, and the result of a resolved conflict.
  useEffect(() => showTyped.current(), [state])
  const preview = () => {
    setPreviewedText(mine())
    setPreviewed(!isPreviewed)
  }

  const addFiles = async (files: File[]) => {
    for (const file of files) {
      try {
        editor.current?.insert(`${markdownOf(await uploadPageFile(organizationId, page.id, file))}\n`)
      } catch (error) {
        toastError(`${file.name}: ${messageOf(error)}`)
      }
    }
  }
  const addFilesNow = useRef(addFiles)
  addFilesNow.current = addFiles

  const isDraftRead = autosave.draft !== undefined
  useEffect(() => {
    const element = host.current
    if (!element || !isDraftRead) return undefined
    let isClosed = false
    void loadPart(() => import('./code-editor.ts')).then(({ openEditor }) => {
      if (isClosed) return
      const { draft, base, unanswered } = latest.current
      // Resumes a draft left by a crash or an expired session, based on the text it started from.
      if (draft?.base.body !== undefined) base.current = { revision: Number(draft.version), body: draft.base.body }
      unanswered.current = draft?.values.unanswered ?? []
      editor.current = openEditor(element, draft?.values.body ?? page.body, {
        onTyped: () => {
          latest.current.onTyped()
          showTyped.current()
        },
        onFiles: (files) => void addFilesNow.current(files),
        onSave: () => void latest.current.save(),
        find: (words) => findNameable(organizationId, page.engagementId, words),
        onChooseFiles: () => picker.current?.click(),
      })
      editor.current.focus()
      if (draft) latest.current.onTyped()
    })
    return () => {
      isClosed = true
      editor.current?.close()
      editor.current = undefined
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- starts from the text of the page; later changes by others arrive by merging
  }, [page.id, isDraftRead])

  /** Leaves after the text is saved; if saving fails, asks the user. */
  const saveAndLeave = (event: React.MouseEvent) => {
    if (!autosave.hasChanges()) return
    event.preventDefault()
    void autosave.finish().then(() => router.navigate({ href: addressOf(page.id) }))
  }

  const tools = [
    { label: 'Heading', icon: IconHeading, use: () => editor.current?.prefixLines('## ') },
    { label: 'Bold', keys: 'Ctrl+B', icon: IconBold, use: () => editor.current?.wrap('**', '**') },
    { label: 'Italic', keys: 'Ctrl+I', icon: IconItalic, use: () => editor.current?.wrap('*', '*') },
    { label: 'Code', icon: IconCode, use: () => editor.current?.wrap('`', '`') },
    { label: 'Link to a page', icon: IconLink, use: () => editor.current?.wrap('[[', ']]') },
    { label: 'List', icon: IconList, use: () => editor.current?.prefixLines('- ') },
    { label: 'Checklist', icon: IconCheckbox, use: () => editor.current?.prefixLines('- [ ] ') },
    { label: 'Table', icon: IconTable, use: () => editor.current?.insertBlock(TABLE) },
    { label: 'File', icon: IconPaperclip, use: () => picker.current?.click() },
  ]
  return (
    <div className={classes.editor} ref={autosave.element}>
      <Group justify="space-between" gap="xs">
        <Group gap={4} role="toolbar" aria-label="Formatting">
          {tools.map(({ label, keys, icon: Icon, use }) => (
            <Button
              key={label}
              size="compact-sm"
              variant="default"
              aria-label={label}
              title={keys ? `${label} (${keys})` : label}
              onClick={use}
            >
              <Icon size={15} aria-hidden />
            </Button>
          ))}
          <Button
            size="compact-sm"
            variant={isPreviewed ? 'filled' : 'default'}
            aria-pressed={isPreviewed}
            onClick={preview}
          >
            Preview
          </Button>
        </Group>
        <Group gap="xs">
          <Text size="sm" c="dimmed" role="status">
            {STATE_LABELS[state]}
          </Text>
          <ButtonLink to={addressOf(page.id)} variant="default" size="xs" onClick={saveAndLeave}>
            Done
          </ButtonLink>
        </Group>
      </Group>
      {isWritable ? (
        state === 'refused' && (
          <Alert color="red" variant="light" role="alert">
            {reason} What you typed is kept in this browser.
          </Alert>
        )
      ) : (
        <Alert color="yellow" variant="light" role="alert">
          {page.trashedAt === null ? 'You can no longer write in this wiki.' : 'This page was moved to the trash.'}{' '}
          Saving is off. What you typed is kept in this browser.
          {page.trashedAt !== null && ' When the page is restored, it is saved.'}
        </Alert>
      )}
      {theirs && isWritable && (
        <SideBySide base={autosave.base.current.body} mine={mine} theirs={theirs} onChoose={resolve} />
      )}
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label="Files to insert into the text"
        onChange={({ currentTarget }) => {
          const chosen = [...(currentTarget.files ?? [])]
          currentTarget.value = ''
          void addFiles(chosen).then(() => editor.current?.focus())
        }}
      />
      <Text size="xs" c="dimmed">
        Type / at the start of a line for headings, tables, links and files.
      </Text>
      <div className={classes.panes} data-preview={isPreviewed || undefined}>
        <div ref={host} className={classes.code} />
        {isPreviewed && (
          <section className={classes.preview} aria-label="Preview">
            <WikiText page={page} text={previewed} />
          </section>
        )}
      </div>
    </div>
  )
}
