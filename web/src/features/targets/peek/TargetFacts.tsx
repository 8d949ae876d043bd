import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { VerdictLabel } from '../../../domain/verdicts.tsx'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import { Properties } from '../../../ui/lists/Properties.tsx'
import { capitalised } from '../../../ui/text/capitalised.ts'
import { CopyId } from '../../../ui/values/CopyId.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { SOURCE_LABELS, TARGET_KIND_LABELS, type Target } from '../labels.ts'
import { CriticalityLabel, Tags } from '../marks.tsx'

/** Scope, kind, source, times and relatives of a target; criticality and tags where they cannot be edited. */
export const TargetFacts = ({ target, isReadOnly }: { target: Target; isReadOnly: boolean }) => {
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
        ['Id', <CopyId key="id" id={id} />],
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
