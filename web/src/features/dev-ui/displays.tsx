import { Clock } from 'lucide-react'
import { formatAmount, formatMoney } from '../../format/money.ts'
import { PaymentPath } from '../../shared/deals/payment-path.tsx'
import { Avatar } from '../../ui/display/avatar.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { DefinitionList } from '../../ui/display/definition-list.tsx'
import { Money } from '../../ui/display/money.tsx'
import { Stars } from '../../ui/display/stars.tsx'
import { Steps } from '../../ui/display/steps.tsx'
import { Tag } from '../../ui/display/tag.tsx'
import { Card, CardHeader, CardLink } from '../../ui/layout/card.tsx'
import { IndexCard, IndexCardSkeleton } from '../../ui/layout/index-card.tsx'
import { Columns, Example, Group, Row } from './gallery.tsx'

const requests = [
  {
    title: 'Leica M3 with a working meter and its case',
    category: 'Cameras',
    budget: 1250,
    place: 'Portland, OR',
    text: 'For a wedding on the 14th. Small brassing is fine, fungus is not.',
    urgent: true,
  },
  {
    title:
      'Donaudampfschifffahrtsgesellschaftskapitänsmütze, pre-war, in any size, with or without the badge',
    category: 'Collectibles and other things that have a long category',
    budget: 12500.5,
    place: 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch',
    text: 'A long title, a long place and a long word must neither burst the card nor push the tag away.',
    urgent: false,
  },
]

const tones = ['neutral', 'outline', 'accent', 'attention', 'signal', 'danger'] as const

const fees = [
  { label: 'Offer', value: formatMoney(12_000, 'usd') },
  { label: 'Platform fee', note: '3%', value: formatMoney(-360, 'usd') },
  { label: 'Card processing', note: '2.9% + 30', value: formatMoney(-378, 'usd') },
  { label: 'You receive', value: formatMoney(11_262, 'usd'), total: true },
]

const paths = {
  unpaid: 'You pay, and the money is held in escrow',
  paying: 'Your bank is processing the payment',
  paid: 'On its way into escrow',
  escrow: 'Released on 4 May unless you report a problem',
  delivered: 'Delivered',
  released: 'Payment Released',
  disputed: 'The money stays in escrow until we decide',
  refunded: 'Refunded to the buyer',
  shared: 'Half each',
  'released-after-dispute': 'Released to the seller',
} as const

const steps = [
  { title: 'Post what you want', text: 'A title, a budget, and by when. It takes a minute.' },
  { title: 'Sellers come to you', text: 'They message you and offer a price.' },
  { title: 'Pay safely', text: 'The money is held in escrow until delivery.' },
]

export function Displays() {
  return (
    <>
      <Group title="Requests">
        <div className="grid grid-cols-1 gap-x-8 gap-y-7 sm:grid-cols-2 xl:grid-cols-3">
          {requests.map(({ title, category, budget, place, text, urgent }) => (
            <IndexCard
              key={title}
              urgent={urgent}
              picture={urgent && <img src={samplePicture} alt="" />}
              overline={
                <>
                  {urgent && <Badge tone="signal">Urgent</Badge>}
                  <span>{category}</span>
                  <time>2 hours ago</time>
                </>
              }
              title={<CardLink href="#group-requests">{title}</CardLink>}
              tag={<Tag>{formatAmount(budget, 'usd')}</Tag>}
              foot={place}
            >
              {text}
            </IndexCard>
          ))}
          <IndexCardSkeleton />
        </div>
        <Example label="Tags and badges">
          <Row>
            <Tag size="lg">{formatAmount(450, 'usd')}</Tag>
            <Tag tone="quiet">Open budget</Tag>
            {tones.map((tone) => (
              <Badge key={tone} tone={tone} icon={tone === 'signal' && <Clock aria-hidden="true" />}>
                {tone}
              </Badge>
            ))}
          </Row>
        </Example>
      </Group>
      <Group title="People">
        <Row>
          <Avatar name="Ada Obi" imageUrl={samplePicture} size="xl" />
          <Avatar name="Ada Obi" size="lg" />
          <Avatar name={null} />
          <Avatar name="Broken Picture" imageUrl="data:image/png,broken" size="sm" />
          <Stars value={4.3} count={27} />
          <Stars value={null} />
        </Row>
      </Group>
      <Group title="Money">
        <Columns>
          <Card asChild padding="lg">
            <section>
              <CardHeader title="What you receive" aside={<Badge tone="accent">In Escrow</Badge>}>
                Oak writing desk
              </CardHeader>
              <DefinitionList figures rows={fees} />
            </section>
          </Card>
          <Row>
            <Money amount={formatMoney(12_000, 'usd')} what="Offer" where="In escrow" size="heading" />
            <Money amount={formatMoney(125_000_05, 'usd')} what="Balance" size="title" />
            <Money amount={formatMoney(12_000, 'myr')} size="lead" />
          </Row>
          {Object.entries(paths).map(([at, note]) => (
            <PaymentPath key={at} at={at as keyof typeof paths} note={note} />
          ))}
        </Columns>
      </Group>
      <Group title="Steps">
        <Steps steps={steps} />
        <Steps stacked className="max-w-column" steps={steps} />
      </Group>
    </>
  )
}

/** A picture without a file: a lamp on a desk, in the size of a phone's photo. */
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 480"><rect width="640" height="480" fill="#c9b48c"/><rect y="330" width="640" height="150" fill="#7a5230"/><circle cx="420" cy="170" r="120" fill="#e9d8ae"/><path d="M180 330h110l-20-170h-70z" fill="#2f4a3f"/><path d="M120 170h230l-50-100H170z" fill="#1f3a30"/><rect x="400" y="250" width="120" height="80" fill="#a53f2b"/><rect x="412" y="232" width="96" height="18" fill="#efe6d0"/></svg>`

const samplePicture = `data:image/svg+xml,${encodeURIComponent(svg)}`
