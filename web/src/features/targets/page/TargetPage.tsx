import { Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../../api/api.ts'
import { paths } from '../../../paths.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import parts from '../../../shell/reads/parts.module.css'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { PageSkeleton } from '../../../shell/reads/skeletons.tsx'
import { WithCrumbs } from '../../../shell/routing/breadcrumbs.tsx'
import { useVisit } from '../../../shell/visits/use-visit.ts'
import { IconRadar2 } from '../../../ui/icons.tsx'
import { IconTrash } from '../../../ui/page-icons.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import { CopyButton } from '../../../ui/values/CopyButton.tsx'
import { DeleteTargetsDialog } from '../bulk/DeleteTargetsDialog.tsx'
import type { Target } from '../labels.ts'
import { TargetFacts } from '../peek/TargetFacts.tsx'
import { TargetForm } from '../peek/TargetForm.tsx'
import { TargetNotes } from '../peek/TargetNotes.tsx'
import { useTags } from '../tags.ts'
import { page as route } from '../targets.routes.ts'
import { TargetParts } from './TargetParts.tsx'

const PER_PART = 25

/** Everything known about one target. */
export const TargetPage = () => {
  const organization = useOrganization()
  const { targetId } = route.useParams()
  const target = useQuery(query(organization.id, 'getTarget', { params: { targetId } }))
  return (
    <QueryView query={target} skeleton={<PageSkeleton />}>
      {({ data }) => <Shown key={data.id} target={data} />}
    </QueryView>
  )
}

const Shown = ({ target }: { target: Target }) => {
  const { slug } = useOrganization()
  const { engagement, isArchived } = useEngagement()
  const navigate = route.useNavigate()
  const tags = useTags(engagement.id)
  const [isDeleting, setDeleting] = useState(false)
  const list = paths.targets(slug, engagement.id)
  useVisit(target.id)
  const scan = () =>
    void navigate({
      to: '/o/$slug/engagements/$engagementId/scans/new',
      params: { slug, engagementId: engagement.id },
      state: { chosenTargets: { ids: [target.id] } },
    })
  const actions = (
    <>
      <CopyButton value={target.canonical} label="Copy value" />
      {!isArchived && (
        <>
          <Button variant="default" leftSection={<IconTrash size={14} aria-hidden />} onClick={() => setDeleting(true)}>
            Delete
          </Button>
          <Button leftSection={<IconRadar2 size={14} aria-hidden />} onClick={scan}>
            Scan
          </Button>
        </>
      )}
    </>
  )
  return (
    <WithCrumbs crumbs={[{ label: 'Targets', to: list }]}>
      <Page
        title={target.canonical}
        documentTitle={`${target.canonical} · ${engagement.name}`}
        layout="list"
        actions={actions}
      >
        <div className={parts.columns}>
          <TargetParts target={target} perPart={PER_PART} />
          <Stack gap="md">
            <TargetFacts target={target} isReadOnly={isArchived} />
            {isArchived ? <TargetNotes text={target.notes} /> : <TargetForm target={target} tags={tags} />}
          </Stack>
        </div>
        {isDeleting && (
          <DeleteTargetsDialog
            selection={{ ids: [target.id] }}
            title={`Delete ${target.canonical}?`}
            onClose={() => setDeleting(false)}
            onDeleted={() => void navigate({ href: list })}
          />
        )}
      </Page>
    </WithCrumbs>
  )
}
