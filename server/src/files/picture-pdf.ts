import type { Jpeg } from './images.ts'
import { joinObjects, object } from './pdf-objects.ts'

/** A4, in points. */
const PAGE = { width: 595, height: 842, margin: 36 }

/** A PDF with one picture on each page. */
export function picturesAsPdf(pictures: Jpeg[]): Buffer {
  const pageIds = pictures.map((_, index) => 3 + index * 3)
  const objects = [
    object('<< /Type /Catalog /Pages 2 0 R >>'),
    object(
      `<< /Type /Pages /Count ${pictures.length} /Kids [${pageIds.map((id) => `${id} 0 R`).join(' ')}] >>`,
    ),
    ...pictures.flatMap((picture, index) => pageOf(picture, pageIds[index] ?? 0)),
  ]
  return joinObjects(objects)
}

/** The PDF objects of a page: the page itself, its drawing and the picture. */
function pageOf({ bytes, widthPixels, heightPixels }: Jpeg, id: number): Buffer[] {
  const { width, height, margin } = PAGE
  const scale = Math.min((width - 2 * margin) / widthPixels, (height - 2 * margin) / heightPixels)
  const [drawnWidth, drawnHeight] = [widthPixels * scale, heightPixels * scale]
  const matrix = [drawnWidth, 0, 0, drawnHeight, (width - drawnWidth) / 2, (height - drawnHeight) / 2]
  const drawing = `q ${matrix.map((it) => it.toFixed(2)).join(' ')} cm /Picture Do Q`
  return [
    object(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents ${id + 1} 0 R ` +
        `/Resources << /XObject << /Picture ${id + 2} 0 R >> >> >>`,
    ),
    object(`<< /Length ${drawing.length} >>`, Buffer.from(drawing)),
    object(
      `<< /Type /XObject /Subtype /Image /Width ${widthPixels} /Height ${heightPixels} ` +
        `/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${bytes.length} >>`,
      bytes,
    ),
  ]
}
