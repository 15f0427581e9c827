import type { WantedItem } from '@sought/contract/requests'
import { Image } from 'lucide-react'
import { useRef } from 'react'

/** The picture of a request, or a placeholder if it is on another site and has not been copied (ADR 52). */
export function ItemPicture({ item }: { item: WantedItem }) {
  if (!item.imageUrl) return null
  const box = 'aspect-[4/3] w-full rounded-card bg-sunken'
  if (item.pictureUrl) return <img src={item.pictureUrl} alt="" className={`${box} object-cover`} />
  return (
    <div className={`${box} grid place-items-center text-line-strong`}>
      <Image aria-hidden="true" className="size-16" strokeWidth={1} />
    </div>
  )
}

const POLL_MS = 2_000
const POLL_FOR_MS = 15_000

/** Reads a request again for a while after it was opened or edited, because its picture may be copied just then. */
export function usePicturePolling() {
  const waiting = useRef({ url: '', since: 0 })
  return (item: WantedItem | undefined): number | false => {
    if (!item?.imageUrl || item.pictureUrl) return false
    if (waiting.current.url !== item.imageUrl) waiting.current = { url: item.imageUrl, since: Date.now() }
    return Date.now() - waiting.current.since < POLL_FOR_MS ? POLL_MS : false
  }
}
