/** Uploaded images are displayed. Images on other sites are only linked (ADR 31). */
export function isUploadedImage(imageUrl: string | null): imageUrl is string {
  return imageUrl?.startsWith('/') ?? false
}
