import { Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { toApiError } from '@sortie/client/request.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { addressOfCall, linkTo, messageOf } from '../../api/api.ts'
import { rows } from '../../api/rows.ts'
import { isAdmin, useOrganization } from '../../shell/context/organization.tsx'
import { rowsOf, ShowMore, useParts } from '../../shell/reads/parts.tsx'
import { QueryView } from '../../shell/reads/QueryView.tsx'
import { TextLink } from '../../shell/routing/links.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { IconBook } from '../../ui/icons.tsx'
import { LineList } from '../../ui/lists/LineList.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { toast, toastError } from '../../ui/toasts/toast.ts'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'
import { DeleteForever } from './page/DeleteForever.tsx'
import { lastPage } from './tree/last-page.ts'
import { NewPage } from './tree/NewPage.tsx'
import { WikiFrame } from './tree/WikiFrame.tsx'
import { useWiki, useWikiTree } from './wiki-tree.tsx'
import classes from './wiki.module.css'

/** A wiki without an open page, and its trash. Opens the page that was open last in this browser. */
export const WikiHome = ({ view }: { view: 'trash' | 'new' | 'all' | undefined }) => {
  const { engagementId, organizationId, addressOf } = useWiki()
  const tree = useQuery(useWikiTree())
  const last = view === undefined ? lastPage(engagementId ?? organizationId) : undefined
  // A page that is gone is not in the tree.
  if (last !== undefined && tree.data?.data.some(({ id }) => id === last))
    return <Navigate to={addressOf(last)} replace />
  return <WikiFrame isMaking={view === 'new'}>{view === 'trash' ? <Trash /> : <Welcome />}</WikiFrame>
}

const Welcome = () => {
  const { organizationId, engagementId, name, mayWrite } = useWiki()
  const pages = useQuery(useWikiTree())
  const tree = engagementId === null ? {} : { engagementId }
  return (
    <Page
      title="Wiki"
      documentTitle={`Wiki · ${name}`}
      actions={
        <>
          <Button
            component="a"
            variant="default"
            href={linkTo(organizationId, 'exportWikiPages', { query: tree })}
            download
          >
            Export
          </Button>
          {mayWrite && <Import />}
        </>
      }
    >
      <QueryView query={pages}>
        {({ data }) => (
          <EmptyState
            icon={<IconBook size={32} stroke={1.4} />}
            title={data.length === 0 ? 'No pages yet' : 'Choose a page'}
            action={data.length === 0 && mayWrite && <NewPage isFirst />}
          >
            Pages are Markdown. Link them with [[Title]], and drop pictures and files into the text.
          </EmptyState>
        )}
      </QueryView>
    </Page>
  )
}

const Import = () => {
  const { organizationId, engagementId } = useWiki()
  const cache = useQueryClient()
  const [isSending, setSending] = useState(false)
  const [skipped, setSkipped] = useState<readonly Skipped[]>([])
  const send = async (file: File | null) => {
    if (!file) return
    setSending(true)
    try {
      const address = addressOfCall('importWikiPages', engagementId === null ? {} : { query: { engagementId } })
      const response = await fetch(address, {
        method: 'POST',
        headers: { 'x-organization': organizationId, 'content-type': 'application/zip' },
        body: file,
      })
      const text = await response.text()
      if (response.status !== 201) throw toApiError(response, text)
      const { data } = JSON.parse(text) as { data: { pages: number; files: number; skipped: Skipped[] } }
      toast(`${counted(data.pages, 'page')} and ${counted(data.files, 'file')} added.`)
      setSkipped(data.skipped)
      await cache.invalidateQueries({ queryKey: [organizationId, 'listWikiPages'] })
    } catch (error) {
      toastError(messageOf(error))
    } finally {
      setSending(false)
    }
  }
  return (
    <>
      <FileButton accept=".zip,application/zip" onChange={(file) => void send(file)}>
        {(props) => (
          <Button {...props} variant="default" loading={isSending}>
            Import
          </Button>
        )}
      </FileButton>
      <Dialog
        opened={skipped.length > 0}
        onClose={() => setSkipped([])}
        title={`${counted(skipped.length, 'entry', 'entries')} left out`}
      >
        <Stack gap="md">
          <Text size="sm">Everything else of the ZIP was added.</Text>
          <LineList
            label="What was left out"
            lines={skipped.map(({ path, reason }, index) => ({
              line: index + 1,
              input: path,
              tone: 'warn',
              label: 'Left out',
              note: `It ${reason}.`,
            }))}
          />
          <Group justify="flex-end">
            <Button onClick={() => setSkipped([])} data-autofocus>
              Done
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  )
}

/** A ZIP entry that was not imported. */
interface Skipped {
  path: string
  reason: string
}

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

const Trash = () => {
  const { organizationId, treeQuery, name, addressOf, mayWrite } = useWiki()
  const mayDelete = isAdmin(useOrganization()) && mayWrite
  const trashed = { ...treeQuery, trashed: true, sort: 'updatedAt', order: 'desc' } as const
  const list = useParts(rows(organizationId, 'listWikiPages', { query: trashed }))
  return (
    <Page title="Trash" documentTitle={`Trash · ${name}`} description="Pages stay here for 30 days.">
      <QueryView query={list}>
        {(read) => {
          const pages = rowsOf(read)
          if (pages.length === 0) return <Text c="dimmed">The trash is empty.</Text>
          return (
            <>
              <ul className={classes.entries}>
                {pages.map(({ id, title, trashedAt }) => (
                  <li key={id}>
                    <TextLink to={addressOf(id)}>{title}</TextLink>{' '}
                    <Text span size="sm" c="dimmed">
                      {trashedAt && <TimeAgo iso={trashedAt} />}
                    </Text>{' '}
                    {mayDelete && <DeleteForever page={{ id, title }} isSmall />}
                  </li>
                ))}
              </ul>
              <ShowMore list={list} />
            </>
          )
        }}
      </QueryView>
    </Page>
  )
}
