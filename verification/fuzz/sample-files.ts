import sharp from 'sharp'

const image = sharp({ create: { width: 8, height: 8, channels: 3, background: '#284' } })

const png = await image.png().toBuffer()

/** Valid files and files that pretend to be something else. */
export const sampleFiles = {
  png,
  jpeg: await image.jpeg().toBuffer(),
  gif: await image.gif().toBuffer(),
  webp: await image.webp().toBuffer(),
  'cut png': png.subarray(0, 40),
  'png with trailing data': Buffer.concat([png, Buffer.from('<script>alert(1)</script>')]),
  svg: Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>',
  ),
  html: Buffer.from('<!doctype html><script>alert(1)</script>'),
  pdf: Buffer.from('%PDF-1.7\n1 0 obj <</OpenAction <</S /JavaScript /JS (app.alert(1))>>>> endobj\n%%EOF'),
  text: Buffer.from('It was blue.'),
  'text in an invalid encoding': Buffer.from([0x62, 0xff, 0xfe, 0x0a]),
  'text with NUL': Buffer.from('It was \0 blue.'),
  'half a zip': Buffer.from('PK\x03\x04word/document.xml'),
  'half an old Word document': Buffer.from('d0cf11e0a1b11ae1', 'hex'),
  'gif that is a script': Buffer.from('GIF89a=1;alert(1)//'),
  nothing: Buffer.alloc(0),
}
