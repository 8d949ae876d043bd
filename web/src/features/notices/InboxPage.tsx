import { Button, SegmentedControl } from '@mantine/core'
import { messageOf, useApiMutation } from '../../api/api.ts'
import { rows } from '../../api/rows.ts'
import { paths } from '../../paths.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { useParts } from '../../shell/reads/parts.tsx'
import { QueryView } from '../../shell/reads/QueryView.tsx'
import { TextLink } from '../../shell/routing/links.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { IconBell } from '../../ui/icons.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { toastError } from '../../ui/toasts/toast.ts'
import { NoticeLine } from './NoticeLine.tsx'
import classes from './notices.module.css'
import { inbox as route } from './notices.routes.ts'

/** Notifications of the open organization, newest first. */
export const InboxPage = () => {
  const organization = useOrganization()
  const { unread } = route.useSearch()
  const navigate = route.useNavigate()
  const filter = unread ? { unread } : {}
  const list = useParts(rows(organization.id, 'listNotices', { query: filter }), { keepsPrevious: true })
  const read = useApiMutation(organization.id, 'readNotices', {
    invalidates: [[organization.id, 'listNotices']],
    onError: (error) => toastError(messageOf(error)),
  })
  const notices = list.data?.pages.flatMap(({ data }) => data) ?? []
  const actions = (
    <>
      <SegmentedControl
        aria-label="Show"
        size="xs"
        value={unread ? 'unread' : 'all'}
        onChange={(next) => void navigate({ search: next === 'unread' ? { unread: true } : {}, replace: true })}
        data={[
          { value: 'all', label: 'All' },
          { value: 'unread', label: 'Unread' },
        ]}
      />
      <Button
        variant="default"
        loading={read.isPending}
        disabled={notices.every(({ readAt }) => readAt !== null)}
        onClick={() => read.mutate({ body: { all: true } })}
      >
        Mark all as read
      </Button>
    </>
  )
  const description = (
    <>
      Who mentioned you or commented, and what was assigned to you or reopened.{' '}
      <TextLink to={paths.notifications()}>Choose which emails you get</TextLink>
    </>
  )
  return (
    <Page title="Inbox" documentTitle={`Inbox · ${organization.name}`} description={description} actions={actions}>
      <QueryView query={list} skeleton={<ListSkeleton rows={4} />}>
        {() =>
          notices.length === 0 ? (
            <Nothing isFiltered={unread === true} />
          ) : (
            <div aria-busy={list.isPlaceholderData}>
              <ul className={classes.notices} aria-label="Notices">
                {notices.map((notice) => (
                  <NoticeLine
                    key={notice.id}
                    notice={notice}
                    onRead={() => read.mutate({ body: { ids: [notice.id] } })}
                  />
                ))}
              </ul>
              {list.hasNextPage && (
                <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                  Show older notices
                </Button>
              )}
            </div>
          )
        }
      </QueryView>
    </Page>
  )
}

const Nothing = ({ isFiltered }: { isFiltered: boolean }) => (
  <EmptyState icon={<IconBell size={32} stroke={1.4} />} title={isFiltered ? 'All read' : 'Nothing here yet'}>
    {isFiltered
      ? 'Notices that you have read stay under All for 90 days.'
      : 'Mentions, comments, and tasks, results and findings that are assigned to you or reopened appear here.'}
  </EmptyState>
)
