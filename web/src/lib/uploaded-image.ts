/** Pictures that we store are shown; one on another site is only ever a link (ADR 31). */
export function isUploadedImage(imageUrl: string | null): imageUrl is string {
  return imageUrl?.startsWith('/') ?? false
}
