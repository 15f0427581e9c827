import { paths } from '@sought/contract/paths'
import { listWantedItems } from '@sought/contract/requests'
import { lazy, Suspense, useState, useTransition } from 'react'
import { useRead } from '../../data/calls.ts'
import { useSession } from '../../data/session.ts'
import { MarketName } from '../../shared/market/market-name.tsx'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { CardSkeletons, cardColumns } from '../../shared/requests/card-skeletons.tsx'
import { RequestCard } from '../../shared/requests/request-card.tsx'
import { Steps } from '../../ui/display/steps.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { usePostPath } from './use-post-path.ts'

const PostDialog = lazy(async () => ({ default: (await import('./post-dialog.tsx')).PostDialog }))

const HERO_COUNT = 3

const steps = [
  { title: 'Post what you want', text: 'Describe it, set a budget and post it to the noticeboard.' },
  { title: 'Sellers come to you', text: 'They message you with offers, and you accept the one you like.' },
  { title: 'Pay safely', text: 'Your money is held in escrow until you confirm the delivery.' },
]

/** An introduction to the market, with the three newest requests of other users. */
export function Hero() {
  const newest = useRead(listWantedItems, { query: { mine: 'hide', limit: String(HERO_COUNT) } })
  return (
    <section className="border-line border-b">
      <div className="mx-auto grid max-w-board gap-10 px-4 py-12 sm:px-6 lg:py-16">
        <div className="grid gap-5">
          <h1 className="max-w-[18ch] font-display font-strong text-display leading-[1.05] tracking-[-0.02em]">
            Say what you want. Let it find you.
          </h1>
          <p className="max-w-[46ch] text-ink-soft text-lead">
            On <MarketName />, buyers post requests and sellers come to them with offers.
          </p>
          <div className="flex flex-wrap gap-3">
            <PostButton />
          </div>
        </div>
        {newest.isPending && <CardSkeletons count={HERO_COUNT} columns="hero" />}
        {newest.data && newest.data.length > 0 && (
          <div className={cardColumns.hero}>
            {newest.data.map((item, at) => (
              <RequestCard key={item.id} item={item} headingLevel="h2" columns="hero" isFirst={at === 0} />
            ))}
          </div>
        )}
        <Steps steps={steps} headingLevel="h2" />
      </div>
    </section>
  )
}

/** Opens the post dialog, or takes visitors to the sign-in screen. */
function PostButton() {
  const session = useSession()
  const postPath = usePostPath()
  const [isOpen, setIsOpen] = useState(false)
  const [isLoading, startLoading] = useTransition()
  if (session.state !== 'signed-in') {
    return (
      <LinkButton to={postPath} size="lg">
        Post a Request
      </LinkButton>
    )
  }
  return (
    <>
      <Button size="lg" busy={isLoading} onClick={() => startLoading(() => setIsOpen(true))}>
        Post a Request
      </Button>
      <LinkButton to={paths.myRequests()} size="lg" variant="secondary">
        My Requests
      </LinkButton>
      <Suspense>
        {isOpen && <PostDialog userId={session.user.id} onClose={() => setIsOpen(false)} />}
      </Suspense>
    </>
  )
}
