import { Radio, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { formatTime } from '../../ui/dates/dates.ts'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { DialogForm } from '../../ui/dialogs/DialogForm.tsx'

/** Files younger than this were just written, so they show the current state. */
const NEW_MS = 60 * 60 * 1_000

/** Time of a file's data in ISO 8601: `writtenAt` applies if the file states no time, `seenAt` always. */
export interface FileTime {
  seenAt?: string
  writtenAt?: string
}

type Send = (file: File, time: FileTime) => void

interface SeenTimes {
  /** Sends each file; asks first if one of them is older. */
  send: (files: readonly File[]) => void
  /** The question, to be rendered. */
  dialog: ReactNode
}

/**
 * Asks whether older files show the state when they were written (the default) or the current state, so that an older
 * file does not overwrite newer data.
 * @param send receives the time of each file
 */
export const useSeenTimes = (send: Send): SeenTimes => {
  const [asked, setAsked] = useState<readonly File[]>([])
  const finish = (isOwnTime: boolean) => {
    const now = new Date().toISOString()
    for (const file of asked)
      send(
        file,
        !isOlder(file) ? {} : isOwnTime ? { writtenAt: new Date(file.lastModified).toISOString() } : { seenAt: now },
      )
    setAsked([])
  }
  return {
    send: (files) => {
      if (files.some(isOlder)) return setAsked(files)
      for (const file of files) send(file, {})
    },
    dialog: (
      <Dialog opened={asked.length > 0} onClose={() => setAsked([])} title="When was this seen?">
        <Question files={asked} onAnswer={finish} onCancel={() => setAsked([])} />
      </Dialog>
    ),
  }
}

const isOlder = ({ lastModified }: File): boolean => Date.now() - lastModified > NEW_MS

interface QuestionProps {
  files: readonly File[]
  onAnswer: (isOwnTime: boolean) => void
  onCancel: () => void
}

const Question = ({ files, onAnswer, onCancel }: QuestionProps) => {
  const [answer, setAnswer] = useState<'file' | 'now'>('file')
  const [first] = files
  const own =
    files.length === 1 && first
      ? `When the scan ran, if the file states it; otherwise when the file was written: ${formatTime(first.lastModified)}`
      : 'When each scan ran, if its file states it; otherwise when the file was written'
  return (
    <DialogForm submitLabel="Import" onSubmit={() => onAnswer(answer === 'file')} onCancel={onCancel}>
      <Radio.Group
        label={files.length === 1 ? `${first?.name} is an older file.` : 'Some of these files are older.'}
        description="Results seen or changed after that time are kept as they are."
        value={answer}
        onChange={setAnswer}
      >
        <Stack gap="xs" mt="sm">
          <Radio value="file" label={own} data-autofocus />
          <Radio value="now" label="Now" />
        </Stack>
      </Radio.Group>
    </DialogForm>
  )
}
