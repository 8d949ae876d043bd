import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../../api/api.ts'
import { VerdictLabel } from '../../../domain/verdicts.tsx'
import { paths } from '../../../paths.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { Properties } from '../../../ui/lists/Properties.tsx'
import { capitalised } from '../../../ui/text/capitalised.ts'
import { Markdown } from '../../../ui/text/Markdown.tsx'
import { CopyButton } from '../../../ui/values/CopyButton.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { DeleteTargetsDialog } from '../bulk/DeleteTargetsDialog.tsx'
import { SOURCE_LABELS, TARGET_KIND_LABELS, type Target } from '../labels.ts'
import { CriticalityLabel, Tags } from '../marks.tsx'
import classes from '../targets.module.css'
import { TargetForm } from './TargetForm.tsx'

interface TargetPeekProps {
  targetId: string
  tags: readonly string[]
  onClose: () => void
}

/** Preview of a target next to the list, with its editable fields. */
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
  const { isArchived } = useEngagement()
  const [deleting, setDeleting] = useState(false)
  return (
    <Stack gap="md">
      <Title order={2} className={classes.title}>
        {target.canonical}
      </Title>
      <Facts target={target} isReadOnly={isArchived} />
      {isArchived ? <Notes text={target.notes} /> : <TargetForm target={target} tags={tags} />}
      <Group gap="xs">
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

const Notes = ({ text }: { text: string }) =>
  text ? (
    <Markdown text={text} />
  ) : (
    <Text size="sm" c="dimmed">
      No notes.
    </Text>
  )

const Facts = ({ target, isReadOnly }: { target: Target; isReadOnly: boolean }) => {
  const { slug } = useOrganization()
  const { id, engagementId, parentId } = target
  const list = paths.targets(slug, engagementId)
  return (
    <Properties
      items={[
        ['Scope', <ScopeReason key="scope" target={target} />],
        ['Kind', TARGET_KIND_LABELS[target.kind]],
        ...(target.value === target.canonical ? [] : [['As entered', target.value] as const]),
        ...(isReadOnly
          ? ([
              [
                'Criticality',
                target.criticality === 'none' ? (
                  '–'
                ) : (
                  <CriticalityLabel key="criticality" criticality={target.criticality} />
                ),
              ],
              ['Tags', target.tags.length === 0 ? '–' : <Tags key="tags" tags={target.tags} />],
            ] as const)
          : []),
        ['Source', SOURCE_LABELS[target.source]],
        ['First seen', <Time key="first" iso={target.firstSeenAt} />],
        ['Last seen', <Time key="last" iso={target.lastSeenAt} />],
        ['Added', <TimeAgo key="added" iso={target.createdAt} />],
        [
          'Parent',
          parentId ? (
            <TextLink key="parent" to={`${list}?peek=${parentId}`}>
              Open parent
            </TextLink>
          ) : (
            '–'
          ),
        ],
        [
          'Children',
          <TextLink key="children" to={`${list}?parentId=${id}`}>
            Show children
          </TextLink>,
        ],
        ['Id', <code key="id">{id}</code>],
      ]}
    />
  )
}

const Time = ({ iso }: { iso: string | null }) => (iso ? <TimeAgo iso={iso} /> : 'Never')

/** Kinds that scope rules do not cover. */
const UNJUDGED: readonly Target['kind'][] = ['cloud', 'repository', 'other']

/** The verdict, its reason, and a link to the rule. */
const ScopeReason = ({ target }: { target: Target }) => {
  const organization = useOrganization()
  const { engagementId, canonical, verdict, scopeRuleId, kind } = target
  const isJudged = !UNJUDGED.includes(kind)
  const judged = useQuery({
    ...query(organization.id, 'checkScope', { body: { engagementId, values: [canonical] } }),
    enabled: isJudged,
  })
  const reason = isJudged ? judged.data?.data[0]?.reason : 'Scope rules do not cover this kind'
  return (
    <>
      <VerdictLabel verdict={verdict} />
      {reason && (
        <div>
          {scopeRuleId ? (
            <TextLink to={`${paths.scope(organization.slug, engagementId)}?peek=${scopeRuleId}`}>
              {capitalised(reason)}
            </TextLink>
          ) : (
            capitalised(reason)
          )}
        </div>
      )}
    </>
  )
}
