import { Button, Group, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../../api/api.ts'
import { paths } from '../../../paths.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { ButtonLink } from '../../../shell/routing/links.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { CopyButton } from '../../../ui/values/CopyButton.tsx'
import { DeleteTargetsDialog } from '../bulk/DeleteTargetsDialog.tsx'
import type { Target } from '../labels.ts'
import { TargetParts } from '../page/TargetParts.tsx'
import classes from '../targets.module.css'
import { TargetFacts } from './TargetFacts.tsx'
import { TargetForm } from './TargetForm.tsx'
import { TargetNotes } from './TargetNotes.tsx'

const PER_PART = 5

interface TargetPeekProps {
  targetId: string
  tags: readonly string[]
  onClose: () => void
}

/** Preview of a target next to the list: its editable fields, and the first of everything known about it. */
export const TargetPeek = ({ targetId, tags, onClose }: TargetPeekProps) => {
  const organization = useOrganization()
  const target = useQuery(query(organization.id, 'getTarget', { params: { targetId } }))
  return (
    <QueryView query={target} skeleton={<ListSkeleton rows={5} height={24} />}>
      {({ data }) => <Shown key={data.id} target={data} tags={tags} onClose={onClose} />}
    </QueryView>
  )
}

const Shown = ({ target, tags, onClose }: { target: Target; tags: readonly string[]; onClose: () => void }) => {
  const { slug } = useOrganization()
  const { isArchived } = useEngagement()
  const [deleting, setDeleting] = useState(false)
  return (
    <Stack gap="md">
      <Title order={2} className={classes.title}>
        {target.canonical}
      </Title>
      <TargetFacts target={target} isReadOnly={isArchived} />
      <TargetParts target={target} perPart={PER_PART} />
      {isArchived ? <TargetNotes text={target.notes} /> : <TargetForm target={target} tags={tags} />}
      <Group gap="xs">
        <ButtonLink variant="default" to={paths.targetPage(slug, target.engagementId, target.id)}>
          Open page
        </ButtonLink>
        <CopyButton value={target.canonical} label="Copy value" />
        {!isArchived && (
          <Button variant="default" onClick={() => setDeleting(true)}>
            Delete
          </Button>
        )}
      </Group>
      {deleting && (
        <DeleteTargetsDialog
          selection={{ ids: [target.id] }}
          title={`Delete ${target.canonical}?`}
          onClose={() => setDeleting(false)}
          onDeleted={() => {
            setDeleting(false)
            onClose()
          }}
        />
      )}
    </Stack>
  )
}
