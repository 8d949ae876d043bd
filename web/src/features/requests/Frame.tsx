import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { PlainLink } from '../../shell/links.tsx'
import { QueryView, together } from '../../shell/QueryView.tsx'
import { TreeFrame } from '../../ui/TreeFrame.tsx'
import { AddMenu } from './AddMenu.tsx'
import { usePlace } from './place.tsx'
import classes from './requests.module.css'
import { useLibrary, useSaved } from './tree.ts'
import { Tree } from './Tree.tsx'

interface FrameProps {
  /** Of what is open: what is added comes into it. */
  folderId?: string | null
  /** Nothing is open. */
  isHome?: boolean
  children: ReactNode
}

/** What is saved, as a tree, and beside it what is open. */
export const Frame = ({ folderId, isHome = false, children }: FrameProps) => {
  const { engagementId, mayWrite, addressOf } = usePlace()
  const saved = useSaved()
  const read = together({ folders: useQuery(saved.folders), requests: useQuery(saved.requests) })
  return (
    <TreeFrame
      label="Saved requests"
      isOpen={!isHome}
      tree={
        <>
          {mayWrite && (
            <Group gap="xs">
              <AddMenu folderId={folderId ?? null} />
            </Group>
          )}
          <QueryView query={read}>{({ folders, requests }) => <Tree folders={folders} requests={requests} />}</QueryView>
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
      {children}
    </TreeFrame>
  )
}

/** What the organization has for all engagements, to be opened for this one. */
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
      <QueryView query={read}>{({ folders, requests }) => <Tree folders={folders} requests={requests} hasFolderPages={false} />}</QueryView>
    </section>
  )
}
