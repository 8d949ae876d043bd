import { useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { messageOf, type WebCall } from '../../api/api.ts'
import { toastError } from '../../ui/toasts/toast.ts'
import { useOrganization } from '../context/organization.tsx'
import { uploadFile } from './upload-file.ts'

/** Destination of uploads. */
export interface Destination {
  /** Owner of the uploads: a page shows only its own. */
  holder: string
  /** Path and query of the call. */
  addressOf: (fileName: string) => string
  /** Reads to invalidate afterwards. */
  invalidates: readonly WebCall[]
}

export interface Upload {
  id: number
  destination: Destination
  name: string
  /** Bytes. */
  size: number
  sent: number
  state: 'waiting' | 'sending' | 'done' | 'failed'
  /** Why it failed. */
  reason?: string
  /** Response of the server. */
  answer?: unknown
}

interface Uploads {
  uploads: readonly Upload[]
  add: (files: readonly File[], destination: Destination) => void
  /** Aborts an upload and removes it from the list. */
  remove: (id: number) => void
  retry: (id: number) => void
}

const UploadsContext = createContext<Uploads | undefined>(undefined)

/** Uploads of the open object. They continue across its pages; leaving the object is blocked with a message. */
export const useUploads = (): Uploads => {
  const uploads = useContext(UploadsContext)
  if (!uploads) throw new Error('useUploads is for pages inside of an UploadsProvider')
  return uploads
}

/**
 * Uploads one file after another.
 * @param below address of the object: uploads continue on the pages below it
 */
export const UploadsProvider = ({ below, children }: { below: string; children: ReactNode }) => {
  const organization = useOrganization()
  const cache = useQueryClient()
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const files = useRef(new Map<number, File>())
  const sending = useRef<{ id: number; abort: AbortController }>(undefined)
  const change = (id: number, changes: Partial<Upload>) =>
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)))
  const next = uploads.find(({ state }) => state === 'waiting')
  const isBusy = uploads.some(({ state }) => state === 'waiting' || state === 'sending')

  useEffect(() => {
    const file = next && files.current.get(next.id)
    if (!next || !file || sending.current) return
    const abort = new AbortController()
    sending.current = { id: next.id, abort }
    change(next.id, { state: 'sending', sent: 0 })
    const onProgress = (sent: number) => change(next.id, { sent })
    const { addressOf, invalidates } = next.destination
    uploadFile(organization.id, addressOf(file.name), file, { signal: abort.signal, onProgress })
      .then((answer) => {
        change(next.id, { state: 'done', sent: file.size, answer })
        return Promise.all(invalidates.map((name) => cache.invalidateQueries({ queryKey: [organization.id, name] })))
      })
      .catch((error: unknown) => {
        if (!abort.signal.aborted) change(next.id, { state: 'failed', reason: messageOf(error) })
      })
      .finally(() => {
        sending.current = undefined
        // Triggers the effect for the next file.
        setUploads((all) => [...all])
      })
  }, [next, uploads, organization.id, cache])
  useEffect(() => () => sending.current?.abort.abort(), [])
  useBlocker({
    shouldBlockFn: ({ next: { pathname } }) => {
      if (pathname.startsWith(below)) return false
      toastError('Files are still being uploaded. Wait for them, or remove them from the queue.')
      return true
    },
    enableBeforeUnload: true,
    disabled: !isBusy,
  })

  const add = (added: readonly File[], destination: Destination) => {
    const created = added.map((file) => {
      const id = ++lastId.current
      files.current.set(id, file)
      return { id, destination, name: file.name, size: file.size, sent: 0, state: 'waiting' as const }
    })
    setUploads((all) => [...all.filter(({ state }) => state !== 'done'), ...created])
  }
  const lastId = useRef(0)
  const remove = (id: number) => {
    if (sending.current?.id === id) sending.current.abort.abort()
    files.current.delete(id)
    setUploads((all) => all.filter((upload) => upload.id !== id))
  }
  return (
    <UploadsContext value={{ uploads, add, remove, retry: (id) => change(id, { state: 'waiting', sent: 0 }) }}>
      {children}
    </UploadsContext>
  )
}
