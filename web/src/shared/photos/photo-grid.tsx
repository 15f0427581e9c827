import type { Photo } from '@sought/contract/photos'
import { lazy, Suspense, useState } from 'react'
import { classNames } from '../../ui/base/class-names.ts'

const PhotoLightbox = lazy(() => import('./photo-lightbox.tsx'))

export const smallPhotoUrl = ({ url }: Photo): string => `${url}?size=small`

const SIDE_PX = 240
const SHORT_SIDE_MIN_PX = 96

interface Props {
  photos: readonly Photo[]
  /** Whether the user sent them. */
  isOwn: boolean
  className?: string
}

/** The photos of a message or an offer as thumbnails, which open in a lightbox. Their sizes are known before they load. */
export function PhotoGrid({ photos, isOwn, className }: Props) {
  const [opened, setOpened] = useState<number | null>(null)
  const [single] = photos
  if (!single) return null
  const isSingle = photos.length === 1
  return (
    <>
      <ul className={classNames('grid w-fit max-w-full gap-1', !isSingle && 'grid-cols-2', className)}>
        {photos.map((photo, index) => (
          <li key={photo.id}>
            <button
              type="button"
              aria-label={`Open photo ${index + 1} of ${photos.length}`}
              onClick={() => setOpened(index)}
              style={isSingle ? fitInto(photo) : undefined}
              className={classNames(
                'block max-w-full overflow-hidden rounded-control border border-line bg-sunken',
                !isSingle && 'aspect-square w-29',
              )}
            >
              <img src={smallPhotoUrl(photo)} alt="" loading="lazy" className="size-full object-cover" />
            </button>
          </li>
        ))}
      </ul>
      {opened !== null && (
        <Suspense>
          <PhotoLightbox photos={photos} initial={opened} isOwn={isOwn} onClose={() => setOpened(null)} />
        </Suspense>
      )}
    </>
  )
}

/** Crops very narrow or flat photos. */
function fitInto({ width, height }: Photo) {
  const scale = Math.min(SIDE_PX / width, SIDE_PX / height, 1)
  const side = (length: number) => Math.max(SHORT_SIDE_MIN_PX, Math.round(length * scale))
  return { width: side(width), aspectRatio: `${side(width)} / ${side(height)}` }
}
