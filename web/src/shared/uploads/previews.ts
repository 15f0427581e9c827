import { useEffect, useRef, useState } from 'react'

/** The browser keeps a preview in memory until its URL is revoked. */
export function useRevokedPreviews(files: readonly { previewUrl?: string | null | undefined }[]): void {
  const shown = useRef<readonly string[]>([])
  useEffect(() => {
    const urls = files.flatMap(({ previewUrl }) => previewUrl ?? [])
    for (const url of shown.current) if (!urls.includes(url)) URL.revokeObjectURL(url)
    shown.current = urls
  }, [files])
  useEffect(
    () => () => {
      for (const url of shown.current) URL.revokeObjectURL(url)
    },
    [],
  )
}

/** A URL to show an image on the page before it is uploaded. */
export function usePreview(file: File | null | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!file?.type.startsWith('image/')) return
    const preview = URL.createObjectURL(file)
    setUrl(preview)
    return () => {
      URL.revokeObjectURL(preview)
      setUrl(undefined)
    }
  }, [file])
  return url
}
