import { paths } from '@sought/contract/paths'
import type { WantedItem } from '@sought/contract/requests'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Badge } from '../ui/badge.tsx'
import { CardLink } from '../ui/card.tsx'
import { IndexCard } from '../ui/index-card.tsx'
import { Tag } from '../ui/tag.tsx'
import { formatBudget } from './budget.ts'
import { useCurrency } from './currency.ts'
import { describeAge } from './relative-time.ts'
import { urgencyLabels } from './urgency.ts'

interface RequestCardProps {
  item: WantedItem
  headingLevel?: 'h2' | 'h3'
  /** After the category. */
  badge?: ReactNode
}

export function RequestCard({ item, headingLevel, badge }: RequestCardProps) {
  const currency = useCurrency()
  return (
    <IndexCard
      headingLevel={headingLevel}
      urgent={item.urgency === 'high'}
      picture={item.pictureUrl && <img src={item.pictureUrl} alt="" loading="lazy" />}
      overline={
        <>
          <Badge>{item.category}</Badge>
          {badge}
          <span suppressHydrationWarning>{describeAge(item, new Date())}</span>
        </>
      }
      title={
        <CardLink asChild>
          <Link href={paths.item(item.id)}>{item.title}</Link>
        </CardLink>
      }
      tag={<Tag>{formatBudget(item, currency)}</Tag>}
      foot={`${item.location} · ${urgencyLabels[item.urgency].short}`}
    >
      {item.description}
    </IndexCard>
  )
}
