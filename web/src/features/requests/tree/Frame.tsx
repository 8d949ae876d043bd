import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { QueryView, together } from '../../../shell/reads/QueryView.tsx'
import { PlainLink } from '../../../shell/routing/links.tsx'
import { TreeFrame } from '../../../ui/page/TreeFrame.tsx'
import { usePlace } from '../place.tsx'
import classes from '../requests.module.css'
import { AddMenu } from './AddMenu.tsx'
import { OpenTabs } from './OpenTabs.tsx'
import { useLibrary, useSaved } from './tree.ts'
import { Tree } from './Tree.tsx'

interface FrameProps {
  /** The open folder: new objects are added to it. */
  folderId?: string | null
  /** Nothing is open. */
  isHome?: boolean
  /** The open request: it is a tab. */
  requestId?: string
  children: ReactNode
}

/** Tree of saved requests, with the open object next to it. */
export const Frame = ({ folderId, isHome = false, requestId, children }: FrameProps) => {
  const { engagementId, mayWrite, addressOf } = usePlace()
  const saved = useSaved()
  const read = together({ folders: useQuery(saved.folders), requests: useQuery(saved.requests) })
  return (
    <TreeFrame
      label="Saved requests"
      isOpen={!isHome}
      rail="requests"
      tree={
        <>
          {mayWrite && (
            <Group gap="xs">
              <AddMenu folderId={folderId ?? null} />
            </Group>
          )}
          <QueryView query={read}>
            {({ folders, requests }) => <Tree folders={folders} requests={requests} />}
          </QueryView>
          {engagementId !== null && <Library />}
          <div className={classes.others}>
            <PlainLink to={addressOf('environments')} className={classes.entryLink} isExact>
              Environments
            </PlainLink>
            <PlainLink to={addressOf('runs')} className={classes.entryLink} isExact>
              All runs
            </PlainLink>
          </div>
        </>
      }
    >
      {requestId !== undefined && read.data && <OpenTabs requestId={requestId} requests={read.data.requests} />}
      {children}
    </TreeFrame>
  )
}

/** The organization's shared requests, to open in this engagement. */
const Library = () => {
  const saved = useLibrary()
  const read = together({ folders: useQuery(saved.folders), requests: useQuery(saved.requests) })
  const headingId = useId()
  if (read.data?.requests.length === 0) return null
  return (
    <section aria-labelledby={headingId}>
      <Text id={headingId} size="xs" fw={600} c="dimmed" mt="sm" mb={4}>
        Library
      </Text>
      <QueryView query={read}>
        {({ folders, requests }) => <Tree folders={folders} requests={requests} hasFolderPages={false} />}
      </QueryView>
    </section>
  )
}
