import { Notice } from '../ui/feedback/notice.tsx'
import { Button } from '../ui/forms/button.tsx'
import { PolicyList } from './policy-list.tsx'
import { useAcceptPolicies } from './use-accept-policies.ts'

/** Asks users on every page to accept the policies in force, until they have done so. */
export default function PolicyNotice() {
  const { policies, accept, isBusy } = useAcceptPolicies()
  if (policies.length === 0) return null
  return (
    <section aria-label="New terms" className="mx-auto w-full max-w-board px-4 pt-4 sm:px-6 print:hidden">
      <Notice
        title="Our terms have changed"
        action={
          <Button size="sm" busy={isBusy} onClick={accept}>
            Accept
          </Button>
        }
      >
        Please read our <PolicyList policies={policies} />. Until you accept, you cannot post requests, make
        offers or pay. You can finish your open deals.
      </Notice>
    </section>
  )
}
