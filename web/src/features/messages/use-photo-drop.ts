import { type DragEvent, useState } from 'react'
import { picturesIn } from '../../shared/photos/use-photos.ts'

/** Handlers for an area onto which pictures can be dropped. */
export function usePhotoDrop(onPictures: (files: File[]) => void) {
  const [isDragOver, setIsDragOver] = useState(false)
  return {
    isDragOver,
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      setIsDragOver(true)
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setIsDragOver(false)
    },
    onDrop: (event: DragEvent) => {
      setIsDragOver(false)
      // Otherwise the browser would open the file.
      if (event.dataTransfer.types.includes('Files')) event.preventDefault()
      const pictures = picturesIn(event.dataTransfer)
      if (pictures.length > 0) onPictures(pictures)
    },
  }
}
