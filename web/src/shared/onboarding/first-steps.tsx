import type { CurrentUser } from '@sought/contract/accounts'
import {
  dismissFirstSteps,
  type FirstSteps as FirstStepsReply,
  getFirstSteps,
  type StepList,
} from '@sought/contract/first-steps'
import { paths } from '@sought/contract/paths'
import { Circle, CircleCheck, X } from 'lucide-react'
import { useRead } from '../../data/calls.ts'
import { sellsSomething, useSession } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { IconButton } from '../../ui/forms/icon-button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { TextLink } from '../navigation/links.tsx'

interface Step {
  label: string
  to: string
  isDone: boolean
}

const titles = {
  buyer: 'First steps as a buyer',
  seller: 'First steps as a seller',
} satisfies Record<StepList, string>

/** All steps follow from the user's data. */
function getSteps(list: StepList, user: CurrentUser, done: FirstStepsReply): Step[] {
  const settings = paths.profile({ tab: 'settings' })
  if (list === 'seller') {
    return [
      { label: 'Say what you sell', to: paths.selling(), isDone: sellsSomething(user) },
      { label: 'Set up payouts', to: paths.sellerSetup(), isDone: done.hasPayoutMethod },
    ]
  }
  return [
    { label: 'Verify your email', to: paths.profile(), isDone: user.emailVerified },
    { label: 'Post a request', to: paths.post(), isDone: done.hasPosted },
    { label: 'Add a picture of yourself', to: settings, isDone: Boolean(user.profileImageUrl) },
  ]
}

/** A user is a seller if they have made an offer, or are on a page that lists offers. */
function isOpen(list: StepList, user: CurrentUser, done: FirstStepsReply, isOnlyList: boolean): boolean {
  if (done.dismissed.includes(list)) return false
  if (list === 'seller' && !done.hasMadeOffer && !isOnlyList) return false
  return getSteps(list, user, done).some(({ isDone }) => !isDone)
}

/** A short checklist for new accounts: the first of these lists that has steps left. It can be dismissed. */
export function FirstSteps({ lists }: { lists: readonly StepList[] }) {
  const session = useSession()
  const done = useRead(getFirstSteps).data
  if (session.state !== 'signed-in' || !done) return null
  const { user } = session
  const list = lists.find((it) => isOpen(it, user, done, lists.length === 1))
  return list ? <Checklist list={list} steps={getSteps(list, user, done)} /> : null
}

function Checklist({ list, steps }: { list: StepList; steps: readonly Step[] }) {
  const { run } = useAction(dismissFirstSteps, {
    failure: 'The list could not be hidden. Please try again.',
  })
  const doneCount = steps.filter(({ isDone }) => isDone).length
  return (
    <Card asChild>
      <section aria-label={titles[list]}>
        <div className="flex items-start justify-between gap-4">
          <div>
            <h2 className="font-display font-strong text-lead">{titles[list]}</h2>
            <p className="text-fine text-ink-soft tabular-nums">
              {doneCount} of {steps.length} done
            </p>
          </div>
          <IconButton
            label="Hide this list"
            Icon={X}
            className="-mt-2 -mr-2"
            onClick={() => void run({ body: { list } })}
          />
        </div>
        <ul className="mt-2 flex flex-wrap gap-x-8 gap-y-1 max-sm:flex-col">
          {steps.map((step) => (
            <li key={step.label} className="flex min-h-11 items-center gap-2">
              {step.isDone ? (
                <>
                  <CircleCheck aria-hidden="true" className="size-5 shrink-0 text-accent" />
                  <span className="text-ink-soft line-through">{step.label}</span>
                  <span className="sr-only">, done</span>
                </>
              ) : (
                <>
                  <Circle aria-hidden="true" className="size-5 shrink-0 text-ink-soft" />
                  <TextLink to={step.to}>{step.label}</TextLink>
                </>
              )}
            </li>
          ))}
        </ul>
      </section>
    </Card>
  )
}
