import { Alert, Button, Group, Skeleton, Text } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { messageOf } from '../../api/api.ts'
import { ButtonLink } from '../../shell/routing/links.tsx'
import { loadPart } from '../../ui/load-part.ts'
import type { OpenEditor } from '../../ui/text-editor/code-editor.ts'
import type { Placeholder } from '../../ui/text-editor/placeholder-completion.ts'
import type { FindNameable } from '../../ui/text-editor/reference-completion.ts'
import { SideBySide } from '../../ui/text-merge/SideBySide.tsx'
import { toastError } from '../../ui/toasts/toast.ts'
import { FormattingTools } from './FormattingTools.tsx'
import type { Texts } from './text-drafts.ts'
import classes from './text-editor.module.css'
import type { Autosave, SaveState } from './use-autosave.ts'

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

export interface EditedSection<S extends string> {
  name: S
  /** For screen readers; several sections also show it. */
  label: string
  /** What belongs into it, below its label. */
  hint?: string
}

interface TextEditorProps<S extends string> {
  sections: readonly EditedSection<S>[]
  autosave: Autosave<S>
  editors: RefObject<Map<S, OpenEditor>>
  isWritable: boolean
  /** Why it cannot be saved, if it is not writable. */
  whyNot: ReactNode
  /** Label of the button for `[[...]]`. */
  linkLabel: string
  find: FindNameable
  /** Address of a file that the text shows. */
  fileAddress: (fileId: string) => string
  /** Uploads a file. @returns its Markdown @throws what `call` throws */
  upload: (file: File) => Promise<string>
  /** Absent: the page shows a preview of its own. */
  preview?: (texts: Texts<S>) => ReactNode
  /** The preview is shown from the start, where there is space for it. */
  isPreviewedAtFirst?: boolean
  /** Address to go to when done; absent: the editor stays. */
  doneTo?: string
  /** The focus stays where it is, such as in a list that opens one text after another. */
  isOpenedQuietly?: boolean
  /** Completed after `{{`. */
  placeholders?: readonly Placeholder[]
}

/** Edits one or several texts. Saves automatically; unsaved text stays in this browser. */
export const TextEditor = <S extends string>(props: TextEditorProps<S>) => {
  const {
    sections,
    autosave,
    editors,
    isWritable,
    whyNot,
    linkLabel,
    find,
    fileAddress,
    upload,
    preview,
    isPreviewedAtFirst = false,
    doneTo,
    isOpenedQuietly = false,
    placeholders = [],
  } = props
  const router = useRouter()
  const hosts = useRef(new Map<S, HTMLDivElement>())
  const active = useRef<S>(sections[0]?.name)
  const panel = useRef<HTMLElement>(null)
  const [isOpened, setOpened] = useState(false)
  const [isPreviewed, setPreviewed] = useState(
    () => preview !== undefined && isPreviewedAtFirst && window.matchMedia('(min-width: 48em)').matches,
  )
  const { state, reason, theirs, conflicts, resolve, mine, baseOf } = autosave
  const latest = useRef({ autosave, find, fileAddress, sections, placeholders })
  latest.current = { autosave, find, fileAddress, sections, placeholders }
  const activeEditor = () => (active.current === undefined ? undefined : editors.current.get(active.current))

  // Resends refused text after the object is restored or write access returns.
  useEffect(() => {
    if (isWritable) void latest.current.autosave.save()
  }, [isWritable])

  const picker = useRef<HTMLInputElement>(null)
  const [previewed, setPreviewedTexts] = useState(mine)
  const showLater = useDebouncedCallback(() => setPreviewedTexts(mine()), PREVIEW_MS)
  const showTyped = useRef(showLater)
  showTyped.current = showLater
  // Also shows text merged from others, and the result of a resolved conflict.
  useEffect(() => showTyped.current(), [state])
  const togglePreview = () => {
    setPreviewedTexts(mine())
    setPreviewed(!isPreviewed)
  }

  const addFiles = async (files: File[]) => {
    // A click elsewhere must not move files that are still being sent.
    const editor = activeEditor()
    for (const file of files) {
      try {
        editor?.insert(`${await upload(file)}\n`)
      } catch (error) {
        toastError(`${file.name}: ${messageOf(error)}`)
      }
    }
  }
  const addFilesNow = useRef(addFiles)
  addFilesNow.current = addFiles

  const isDraftRead = autosave.draft !== undefined
  useEffect(() => {
    if (!isDraftRead) return undefined
    const opened = editors.current
    let isClosed = false
    void loadPart(() => import('../../ui/text-editor/code-editor.ts')).then(({ openEditor }) => {
      if (isClosed) return
      // What is hidden takes no focus.
      flushSync(() => setOpened(true))
      const texts = latest.current.autosave.resume()
      for (const { name, label } of latest.current.sections) {
        const host = hosts.current.get(name)
        if (!host) continue
        const editor = openEditor(host, texts[name], {
          label,
          grows: latest.current.sections.length > 1,
          onTyped: () => {
            latest.current.autosave.onTyped()
            showTyped.current()
          },
          onFiles: (files) => {
            active.current = name
            void addFilesNow.current(files)
          },
          onSave: () => void latest.current.autosave.save(),
          find: (words) => latest.current.find(words),
          fileAddress: (fileId) => latest.current.fileAddress(fileId),
          onChooseFiles: () => picker.current?.click(),
          placeholders: () => latest.current.placeholders,
        })
        opened.set(name, editor)
      }
      if (!isOpenedQuietly) activeEditor()?.focus()
      if (latest.current.autosave.draft) latest.current.autosave.onTyped()
      showTyped.current()
    })
    return () => {
      isClosed = true
      for (const editor of opened.values()) editor.close()
      opened.clear()
      setOpened(false)
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- starts from the stored texts; later changes by others arrive by merging
  }, [isDraftRead])

  /** Leaves after the text is saved; if saving fails, asks the user. */
  const saveAndLeave = (event: React.MouseEvent) => {
    if (!autosave.hasChanges()) return
    event.preventDefault()
    void autosave.finish().then(() => (doneTo === undefined ? undefined : router.navigate({ href: doneTo })))
  }
  const onSectionFocus = (name: S) => {
    active.current = name
    if (sections.length > 1)
      panel.current?.querySelector(`[data-section="${name}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  const isAlone = sections.length === 1
  return (
    <div className={classes.editor} ref={autosave.element}>
      <Group justify="space-between" gap="xs">
        <FormattingTools editor={activeEditor} linkLabel={linkLabel} onChooseFiles={() => picker.current?.click()}>
          {preview && (
            <Button
              size="compact-sm"
              variant={isPreviewed ? 'light' : 'default'}
              aria-pressed={isPreviewed}
              onClick={togglePreview}
            >
              Preview
            </Button>
          )}
        </FormattingTools>
        <Group gap="xs">
          <Text size="sm" c="dimmed" role="status">
            {STATE_LABELS[state]}
          </Text>
          {doneTo !== undefined && (
            <ButtonLink to={doneTo} variant="default" size="xs" onClick={saveAndLeave}>
              Done
            </ButtonLink>
          )}
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
          {whyNot}
        </Alert>
      )}
      {theirs &&
        isWritable &&
        conflicts.map((section) => (
          <SideBySide
            key={section}
            base={baseOf(section)}
            mine={() => mine()[section]}
            theirs={theirs.texts[section]}
            by={theirs.by}
            name={isAlone ? undefined : sections.find(({ name }) => name === section)?.label}
            onChoose={(text) => resolve(section, text)}
          />
        ))}
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label="Files to insert into the text"
        onChange={({ currentTarget }) => {
          const chosen = [...(currentTarget.files ?? [])]
          currentTarget.value = ''
          void addFiles(chosen).then(() => activeEditor()?.focus())
        }}
      />
      <Text size="xs" c="dimmed">
        {placeholders.length > 0
          ? 'Type / for headings, tables and files, and {{ for names and numbers.'
          : 'Type / at the start of a line for headings, tables, links and files.'}
      </Text>
      <div className={classes.panes} data-preview={isPreviewed || undefined}>
        <div className={classes.texts} data-many={!isAlone || undefined} aria-busy={!isOpened}>
          {sections.map(({ name, label, hint }) => (
            <div key={name} className={classes.section} onFocusCapture={() => onSectionFocus(name)}>
              {!isAlone && (
                <div className={classes.label}>
                  <Text component="h2" size="sm" fw={600}>
                    {label}
                  </Text>
                  {hint && (
                    <Text size="xs" c="dimmed">
                      {hint}
                    </Text>
                  )}
                </div>
              )}
              <div
                ref={(host) => {
                  if (host) hosts.current.set(name, host)
                }}
                className={classes.code}
                hidden={!isOpened}
              />
              {!isOpened && <Lines text={previewed[name]} />}
            </div>
          ))}
        </div>
        {preview && isPreviewed && (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keyboard
          <section ref={panel} className={classes.preview} aria-label="Preview" tabIndex={0}>
            {preview(previewed)}
          </section>
        )}
      </div>
    </div>
  )
}

/** Characters of a line of the placeholder, and how wide each line is, in percent. */
const LINE_LENGTH = 60
const LINE_WIDTHS = [96, 88, 92, 64]
const MAX_LINES = 12

/** Placeholder of a text, about as long as it, until its editor is loaded. */
const Lines = ({ text }: { text: string }) => (
  <div className={classes.code} aria-hidden>
    <div className={classes.lines}>
      {Array.from({ length: Math.min(MAX_LINES, 1 + Math.floor(text.length / LINE_LENGTH)) }, (_, index) => (
        <Skeleton key={index} height={10} width={`${LINE_WIDTHS[index % LINE_WIDTHS.length]}%`} radius="sm" />
      ))}
    </div>
  </div>
)
