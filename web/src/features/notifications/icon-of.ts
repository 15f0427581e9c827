import { type NotificationKind, notificationKinds, type PushTopic } from '@sought/contract/notification-kinds'
import {
  AlarmClock,
  ArrowLeftRight,
  Bell,
  Bookmark,
  CalendarClock,
  Check,
  FileDown,
  HandCoins,
  Hourglass,
  LifeBuoy,
  LockKeyhole,
  type LucideIcon,
  MessagesSquare,
  PackageCheck,
  PackageOpen,
  PencilLine,
  Scale,
  ScrollText,
  Search,
  ShieldAlert,
  Star,
  Tag,
  Truck,
  Undo2,
  Wallet,
  X,
} from 'lucide-react'

const icons: { [Kind in NotificationKind]?: LucideIcon } = {
  offer_accepted: Check,
  offer_rejected: X,
  offer_countered: ArrowLeftRight,
  request_changed: PencilLine,
  request_reserved: Bookmark,
  request_expiring: CalendarClock,
  payment_held: LockKeyhole,
  parcel: Truck,
  ship_reminder: PackageOpen,
  cancellation: Undo2,
  delivery_confirmed: PackageCheck,
  escrow_ending: Hourglass,
  dispute_opened: Scale,
  dispute_answered: Scale,
  dispute_ruled: Scale,
  dispute_appeal: Scale,
  dispute_due: AlarmClock,
  rating_received: Star,
  review_published: Star,
  moderation: ShieldAlert,
  search_match: Search,
  search_digest: Search,
  support: LifeBuoy,
  goodwill: HandCoins,
  policy_changed: ScrollText,
  export_ready: FileDown,
}

/** For kinds without an icon of their own. */
const topicIcons: Record<PushTopic, LucideIcon> = {
  messages: MessagesSquare,
  offers: Tag,
  payments: Wallet,
  alerts: Bell,
}

/** Shown instead of an avatar for notifications that no person caused. A newer server may send other kinds. */
export const iconOf = (kind: NotificationKind): LucideIcon =>
  icons[kind] ?? topicIcons[notificationKinds[kind]?.topic] ?? Bell
