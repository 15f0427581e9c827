import type { Picture, WantedItem } from '@sought/contract/requests'
import { Image } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { RequestPicture } from '../../shared/requests/request-picture.tsx'
import { useReadiness } from '../../ui/base/hydration.ts'

const PhotoLightbox = lazy(() => import('../../shared/photos/photo-lightbox.tsx'))

const box = 'aspect-[4/3] w-full rounded-card bg-sunken'

/**
 * The pictures of a request, the first one large, which open in a lightbox. A placeholder if they are on other sites
 * and none has been copied (ADR 52).
 */
export function ItemPictures({ item, isOwn }: { item: WantedItem; isOwn: boolean }) {
  const [opened, setOpened] = useState<number | null>(null)
  const { images, pictures } = item
  const [first, ...others] = pictures
  if (images.length === 0) return null
  if (!first) {
    return (
      <div className={`${box} grid place-items-center text-line-strong`}>
        <Image aria-hidden="true" className="size-16" strokeWidth={1} />
      </div>
    )
  }
  const opener = (index: number) => ({ index, count: pictures.length, onOpen: () => setOpened(index) })
  return (
    <div className="grid gap-2">
      <Opener {...opener(0)} picture={first} sizes="(width >= 62rem) 46rem, 92vw" isFirst />
      {others.length > 0 && (
        <ul aria-label="More pictures" className="grid grid-cols-5 gap-2">
          {others.map((picture, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same picture may be there twice
            <li key={at}>
              <Opener {...opener(at + 1)} picture={picture} sizes="(width >= 62rem) 9rem, 18vw" />
            </li>
          ))}
        </ul>
      )}
      {opened !== null && (
        <Suspense>
          <PhotoLightbox photos={pictures} initial={opened} isOwn={isOwn} onClose={() => setOpened(null)} />
        </Suspense>
      )}
    </div>
  )
}

interface OpenerProps {
  picture: Picture
  index: number
  count: number
  sizes: string
  isFirst?: boolean
  onOpen: () => void
}

function Opener({ picture, index, count, sizes, isFirst = false, onOpen }: OpenerProps) {
  const readiness = useReadiness()
  return (
    <button
      type="button"
      onClick={onOpen}
      className={`${box} block cursor-zoom-in overflow-hidden`}
      {...readiness}
    >
      <span className="sr-only">
        Open picture {index + 1} of {count}
      </span>
      <RequestPicture
        picture={picture}
        sizes={sizes}
        fetchPriority={isFirst ? 'high' : 'auto'}
        className="size-full object-cover"
      />
    </button>
  )
}

const POLL_MS = 2_000
const POLL_FOR_MS = 15_000

/** Refetches a request that was just opened or edited, because the server may still be copying its pictures. */
export function usePicturePolling() {
  const waiting = useRef({ urls: '', since: 0 })
  return (item: WantedItem | undefined): number | false => {
    if (!item || item.pictures.length === item.images.length) return false
    const urls = item.images.map(({ url }) => url).join()
    if (waiting.current.urls !== urls) waiting.current = { urls, since: Date.now() }
    return Date.now() - waiting.current.since < POLL_FOR_MS ? POLL_MS : false
  }
}
