import { paths } from '@sought/contract/paths'
import type { WantedItem } from '@sought/contract/requests'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { formatBudget } from '../../format/budget.ts'
import { describeAge } from '../../format/relative-time.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { Tag } from '../../ui/display/tag.tsx'
import { CardLink } from '../../ui/layout/card.tsx'
import { IndexCard } from '../../ui/layout/index-card.tsx'
import { RequestPicture } from './request-picture.tsx'
import { urgencyLabels } from './urgency.ts'

interface RequestCardProps {
  item: WantedItem
  headingLevel?: 'h2' | 'h3'
  /** Shown after the category. */
  badge?: ReactNode
  columns?: keyof typeof sizes
  /** Whether it is the first card, whose picture is probably the largest of the first view. */
  isFirst?: boolean
}

/** The widths of the cards in `cardColumns`. */
const sizes = {
  hero: '(width >= 76rem) 23rem, (width >= 48rem) 31vw, (width >= 24rem) 20rem, 84vw',
  board: '(width >= 80rem) 18rem, (width >= 62rem) 31vw, (width >= 36rem) 47vw, 92vw',
  desk: '(width >= 62rem) 21rem, (width >= 36rem) 47vw, 92vw',
} as const

export function RequestCard({ item, headingLevel, badge, columns = 'board', isFirst }: RequestCardProps) {
  const [picture] = item.pictures
  return (
    <IndexCard
      headingLevel={headingLevel}
      urgent={item.urgency === 'high'}
      picture={
        picture && (
          <RequestPicture
            picture={picture}
            sizes={sizes[columns]}
            // The hero is in the first view of the page.
            loading={columns === 'hero' ? 'eager' : 'lazy'}
            fetchPriority={isFirst ? 'high' : 'auto'}
          />
        )
      }
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
      tag={<Tag>{formatBudget(item, item.currency)}</Tag>}
      foot={`${item.location} · ${urgencyLabels[item.urgency].short}`}
    >
      {item.description}
    </IndexCard>
  )
}
