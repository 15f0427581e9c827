import { listOwnRequests } from '@sought/contract/own-requests'
import { closeWantedItem, getWantedItem, renewWantedItem, reopenWantedItem } from '@sought/contract/requests'
import { changeItems, changeReply } from '../../data/optimistic-changes.ts'
import { explainFailure, useAction } from '../../data/use-action.ts'
import { formatDate } from '../../format/dates.ts'
import { useSignInAgain } from './use-sign-in-again.ts'

/** The next step of the request stays unchanged until the reply. */
const showStatus =
  (status: 'open' | 'closed') =>
  ({ params }: { params: { id: string } }) => {
    const isChanged = ({ id }: { id: number }) => String(id) === params.id
    return [
      changeReply(getWantedItem, (item) => (isChanged(item) ? { ...item, status } : item)),
      changeItems(listOwnRequests, isChanged, { status }),
    ]
  }

export function useCloseRequest() {
  return useAction(closeWantedItem, {
    success: { title: 'Request closed' },
    failure: explainFailure('The request could not be closed'),
    optimistic: showStatus('closed'),
    onSignedOut: useSignInAgain(),
  })
}

export function useReopenRequest() {
  return useAction(reopenWantedItem, {
    success: { title: 'Request reopened', description: 'Sellers can find it again.' },
    failure: explainFailure('The request could not be reopened'),
    optimistic: showStatus('open'),
    onSignedOut: useSignInAgain(),
  })
}

export function useRenewRequest() {
  return useAction(renewWantedItem, {
    success: ({ expiresAt }) => ({
      title: 'Request renewed',
      description: `It is open until ${formatDate(expiresAt)}.`,
    }),
    failure: explainFailure('The request could not be renewed'),
    onSignedOut: useSignInAgain(),
  })
}
