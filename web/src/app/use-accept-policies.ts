import { acceptPolicy, listPoliciesToAccept } from '@sought/contract/policies'
import { useRead } from '../data/calls.ts'
import { send } from '../data/client.ts'
import { explainFailure, useSubmission } from '../data/use-action.ts'

/** The policies that the user still has to accept, and an action to accept them. */
export function useAcceptPolicies(onDone?: () => void) {
  const { data, isFetching, refetch } = useRead(listPoliciesToAccept)
  const policies = data ?? []
  const { run, isPending } = useSubmission(
    acceptPolicy,
    async () => {
      for (const { policy, version } of policies) await send(acceptPolicy, { body: { policy, version } })
    },
    {
      failure: explainFailure('Not accepted'),
      ...(onDone && { onDone }),
    },
  )
  return {
    policies,
    // Users cannot accept policies that were not shown to them.
    accept: () => void (data ? run(undefined) : refetch()),
    isBusy: isPending || (isFetching && !data),
  }
}
