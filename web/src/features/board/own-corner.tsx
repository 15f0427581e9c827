import { paths } from '@sought/contract/paths'
import { useHistoryState } from 'wouter/use-browser-location'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { FirstSteps } from '../../shared/onboarding/first-steps.tsx'
import type { PostedState } from '../../shared/request-form/post-form.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'

/** Shown to signed-in users above the hero: the request they have just posted, or their first steps. */
export function OwnCorner() {
  const posted = useHistoryState<PostedState | null>()?.posted
  return (
    <div className="mx-auto max-w-board px-4 pt-6 empty:hidden sm:px-6">
      {posted ? (
        <Notice
          tone="success"
          live
          title="Your request is on the board"
          action={
            <div className="flex flex-wrap gap-3">
              <LinkButton to={paths.item(posted.id)}>View Request</LinkButton>
              <LinkButton to={paths.myRequests()} variant="secondary">
                My Requests
              </LinkButton>
            </div>
          }
        >
          <span className="[overflow-wrap:anywhere]">“{posted.title}”</span> is visible to sellers now. We
          will tell you about every offer. You find it in My Requests.
        </Notice>
      ) : (
        <FirstSteps lists={['buyer', 'seller']} />
      )}
    </div>
  )
}
