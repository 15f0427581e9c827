import { Clock, MapPin } from 'lucide-react'
import { formatAmount, formatCents } from '../../format/money.ts'
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
import { samplePicture } from './sample-picture.ts'

const budget = (min: number, max: number) => `${formatAmount(min, 'usd')}–${formatAmount(max, 'usd')}`

export function Displays() {
  return (
    <>
      <Group title="Requests">
        <div className="grid grid-cols-1 gap-x-8 gap-y-7 sm:grid-cols-2 xl:grid-cols-3">
          <IndexCard
            urgent
            picture={<img src={samplePicture} alt="" />}
            overline={
              <>
                <Badge tone="signal">Urgent</Badge>
                <span>Cameras</span>
                <time>2 hours ago</time>
              </>
            }
            title={<CardLink href="#group-requests">Leica M3 with a working meter and its case</CardLink>}
            tag={<Tag>{budget(900, 1250)}</Tag>}
            foot="Portland, OR"
          >
            For a wedding on the 14th. Small brassing is fine, fungus is not.
          </IndexCard>
          <IndexCard
            overline={
              <>
                <span>Furniture</span>
                <time>Just now</time>
              </>
            }
            title={<CardLink href="#group-requests">Oak writing desk</CardLink>}
            tag={<Tag>{budget(300, 450)}</Tag>}
            foot="Kuala Lumpur"
          >
            Original brass fittings, all six drawers. I can collect.
          </IndexCard>
          <IndexCard
            overline={
              <>
                <span>Collectibles and other things that have a long category</span>
                <time>12 days ago</time>
              </>
            }
            title={
              <CardLink href="#group-requests">
                Donaudampfschifffahrtsgesellschaftskapitänsmütze, pre-war, in any size, with or without the
                badge
              </CardLink>
            }
            tag={<Tag>{formatAmount(12500.5, 'usd')}</Tag>}
            foot="Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch"
          >
            A long title, a long place and a long word must neither burst the card nor push the tag away.
          </IndexCard>
          <IndexCardSkeleton />
        </div>
        <Example label="Tags and badges">
          <Row>
            <Tag size="lg">{budget(300, 450)}</Tag>
            <Tag tone="quiet">Open budget</Tag>
            <Badge>Furniture</Badge>
            <Badge tone="outline">Buyer</Badge>
            <Badge tone="accent">Payment Released</Badge>
            <Badge tone="attention">Under Review</Badge>
            <Badge tone="signal" icon={<Clock aria-hidden="true" />}>
              Urgent
            </Badge>
            <Badge tone="danger">New Dispute</Badge>
          </Row>
        </Example>
      </Group>
      <Group title="People">
        <Row>
          <Avatar name="Ada Obi" imageUrl={samplePicture} size="xl" />
          <Avatar name="Ada Obi" size="lg" />
          <Avatar name="Ödön" />
          <Avatar name={null} />
          <Avatar name="Broken Picture" imageUrl="data:image/png,broken" size="sm" />
          <span className="grid gap-1">
            <span>Ada Obi</span>
            <Stars value={4.3} count={27} />
          </span>
          <Stars value={5} />
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
              <DefinitionList
                figures
                rows={[
                  { key: 'amount', label: 'Offer', value: formatCents(12_000, 'usd') },
                  { key: 'platform', label: 'Platform fee', note: '3%', value: formatCents(-360, 'usd') },
                  {
                    key: 'card',
                    label: 'Card processing',
                    note: '2.9% + 30',
                    value: formatCents(-378, 'usd'),
                  },
                  { key: 'payout', label: 'You receive', value: formatCents(11_262, 'usd'), total: true },
                ]}
              />
            </section>
          </Card>
          <div className="grid content-start gap-6">
            <Row>
              <Money
                amount={formatCents(12_000, 'usd')}
                what="Offer"
                where="In escrow until 4 May"
                size="heading"
              />
            </Row>
            <Row>
              <Money amount={formatCents(125_000_05, 'usd')} what="Balance" size="title" />
              <Money amount={formatCents(12_000, 'myr')} size="lead" />
              <Money amount={formatCents(12_000, 'usd')} />
            </Row>
            <DefinitionList
              rows={[
                { key: 'item', label: 'Item', value: 'Oak writing desk' },
                { key: 'seller', label: 'Seller', value: 'Ada Obi' },
                { key: 'release', label: 'Auto-release', value: '4 May 2027, 14:20' },
              ]}
            />
          </div>
        </Columns>
        <div className="grid items-start gap-x-10 gap-y-10 md:grid-cols-2">
          <PaymentPath at="unpaid" note="You pay, and the money is held in escrow" />
          <PaymentPath at="paying" note="Your bank is processing the payment" />
          <PaymentPath at="paid" note="On its way into escrow" />
          <PaymentPath at="escrow" note="Released on 4 May unless you report a problem" />
          <PaymentPath at="delivered" note="Delivered" />
          <PaymentPath at="released" note="Payment Released" />
          <PaymentPath at="disputed" note="The money stays in escrow until we decide" />
          <PaymentPath at="refunded" note="Refunded to the buyer" />
          <PaymentPath at="shared" note="Half each" />
          <PaymentPath at="released-after-dispute" note="Released to the seller" />
        </div>
      </Group>
      <Group title="Steps">
        <Steps
          steps={[
            { title: 'Post what you want', text: 'A title, a budget, and by when. It takes a minute.' },
            { title: 'Sellers come to you', text: 'They message you and offer a price.' },
            { title: 'Pay safely', text: 'The money is held in escrow until delivery.' },
          ]}
        />
        <Steps
          stacked
          className="max-w-column"
          steps={[
            { title: 'Payment secured', text: 'Your card is charged and the money is held.' },
            { title: 'Seller delivers', text: 'They see that the money is in escrow, and send the item.' },
            { title: 'You confirm', text: 'One button, once you have the item.' },
            { title: 'Auto-release after 7 days', text: 'If you do nothing, the seller is paid.' },
          ]}
        />
        <p className="flex items-center gap-2 text-fine text-ink-soft">
          <MapPin aria-hidden="true" className="size-4" /> Icons are next to words, never instead of them.
        </p>
      </Group>
    </>
  )
}
