import type { PublicUser } from '@sought/contract/accounts'
import { listBlocks, unblock } from '@sought/contract/reports'
import { Ban } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useRead } from '../../data/calls.ts'
import { useSession } from '../../data/session.ts'
import { explainFailure, useAction } from '../../data/use-action.ts'
import { classNames } from '../../ui/base/class-names.ts'
import { Button } from '../../ui/forms/button.tsx'
import { useSignInFirst } from '../sign-in/use-sign-in-first.ts'

const BlockDialog = lazy(() => import('./block-dialog.tsx'))

type Person = Pick<PublicUser, 'id' | 'name'>

/** Whether the user has blocked this person. False while loading. */
export function useIsBlocked(personId: string): boolean {
  const isSignedIn = useSession().state === 'signed-in'
  const blocks = useRead(listBlocks, undefined, { enabled: isSignedIn })
  return blocks.data?.some(({ user }) => user.id === personId) ?? false
}

interface Props {
  person: Person
  size?: 'sm' | 'md' | undefined
}

/** Blocks a person after a confirmation. Hidden for a blocked person: see `BlockedNotice`. */
export function BlockButton({ person, size = 'md' }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const signInFirst = useSignInFirst()
  if (useIsBlocked(person.id)) return null
  return (
    <>
      <Button
        variant="quiet"
        size={size}
        className={classNames(size === 'sm' && 'max-sm:-mr-2 max-sm:px-2 max-sm:[&_svg]:hidden')}
        onClick={() => signInFirst('block someone', () => setIsOpen(true))}
      >
        <Ban aria-hidden="true" />
        Block
      </Button>
      {isOpen && (
        <Suspense>
          <BlockDialog person={person} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Needs no confirmation: blocking again undoes it. */
export function UnblockButton({ person, size = 'md' }: Props) {
  const { run, isPending } = useAction(unblock, {
    success: { title: `${person.name} is no longer blocked` },
    failure: explainFailure('The person was not unblocked'),
  })
  return (
    <Button
      variant="secondary"
      size={size}
      busy={isPending}
      onClick={() => void run({ params: { userId: person.id } })}
    >
      Unblock
    </Button>
  )
}
