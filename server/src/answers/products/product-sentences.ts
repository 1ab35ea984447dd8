// What the bot says about products in sentences of its own. Names and facts are put in where braces stand.
import type { Availability } from './types.ts'

export interface ProductSentences {
  found: string
  cheapest: string
  dearest: string
  bestRated: string
  newest: string
  /** Nothing met every wish; {missed} tells which. */
  nearest: string
  onlyOutOfStock: string
  comparison: string
  accessories: string
  alternatives: string
  /** Nothing is known about it. */
  unknownFact: string
  noMatch: string
  /** Nothing like {wanted} is sold. */
  notSold: string
  upTo: string
  from: string
  size: string
  colour: string
  inStockWish: string
  sizes: string
  colours: string
  price: string
  rating: string
  reviews: string
  brand: string
  insteadOf: string
  notInVariant: string
  yesInVariant: string
  unknownVariant: string
  offeredIn: string
  availability: Record<Availability, string>
  unknownAvailability: string
  yes: string
  no: string
}

const en: ProductSentences = {
  found: 'Here is what I found:',
  cheapest: 'The cheapest I found:',
  dearest: 'The most expensive I found:',
  bestRated: 'The best rated I found:',
  newest: 'The newest I found:',
  nearest: 'Nothing fits everything you asked for ({missed}). These come closest:',
  onlyOutOfStock: 'What fits is out of stock at the moment:',
  comparison: 'Side by side:',
  accessories: 'This goes with {title}:',
  alternatives: 'Instead of {title}:',
  unknownFact: 'My product data does not say that about {title}.',
  noMatch: 'I found no other product that fits.',
  notSold: 'I found nothing like “{wanted}” in our range.',
  upTo: 'up to {price}',
  from: 'from {price}',
  size: 'size {value}',
  colour: 'in {value}',
  inStockWish: 'in stock',
  sizes: 'sizes {values}',
  colours: 'colours {values}',
  price: 'Price',
  rating: 'rated {rating} of 5',
  reviews: '{count} reviews',
  brand: 'Brand',
  insteadOf: 'instead of {price}',
  notInVariant: '{title} is not in stock in {variant}: {availability}.',
  yesInVariant: 'Yes, {title} is available in {variant}: {availability}.',
  unknownVariant: '{title} is not offered in {variant}.',
  offeredIn: 'It is offered in: {values}.',
  availability: {
    in_stock: 'in stock',
    out_of_stock: 'out of stock',
    preorder: 'pre-order',
    backorder: 'on back-order',
  },
  unknownAvailability: 'stock not known',
  yes: 'yes',
  no: 'no',
}

const de: ProductSentences = {
  found: 'Das habe ich gefunden:',
  cheapest: 'Am günstigsten ist:',
  dearest: 'Am teuersten ist:',
  bestRated: 'Am besten bewertet ist:',
  newest: 'Am neuesten ist:',
  nearest: 'Nichts erfüllt alle Wünsche ({missed}). Am nächsten kommen:',
  onlyOutOfStock: 'Was passt, ist zurzeit nicht auf Lager:',
  comparison: 'Im Vergleich:',
  accessories: 'Dazu passt ({title}):',
  alternatives: 'Statt {title}:',
  unknownFact: 'Dazu steht in meinen Produktdaten zu {title} nichts.',
  noMatch: 'Ein anderes passendes Produkt habe ich nicht gefunden.',
  notSold: 'In unserem Sortiment habe ich zu „{wanted}“ nichts gefunden.',
  upTo: 'bis {price}',
  from: 'ab {price}',
  size: 'Größe {value}',
  colour: 'in {value}',
  inStockWish: 'auf Lager',
  sizes: 'Größen {values}',
  colours: 'Farben {values}',
  price: 'Preis',
  rating: 'mit {rating} von 5 bewertet',
  reviews: '{count} Bewertungen',
  brand: 'Marke',
  insteadOf: 'statt {price}',
  notInVariant: '{title} ist in {variant} nicht vorrätig: {availability}.',
  yesInVariant: 'Ja, {title} gibt es in {variant}: {availability}.',
  unknownVariant: '{title} gibt es nicht in {variant}.',
  offeredIn: 'Angeboten wird: {values}.',
  availability: {
    in_stock: 'auf Lager',
    out_of_stock: 'nicht auf Lager',
    preorder: 'vorbestellbar',
    backorder: 'nachbestellt',
  },
  unknownAvailability: 'Bestand nicht bekannt',
  yes: 'ja',
  no: 'nein',
}

const fr: ProductSentences = {
  found: 'Voici ce que j’ai trouvé :',
  cheapest: 'Le moins cher :',
  dearest: 'Le plus cher :',
  bestRated: 'Le mieux noté :',
  newest: 'Le plus récent :',
  nearest: 'Rien ne répond à tous vos souhaits ({missed}). Le plus proche :',
  onlyOutOfStock: 'Ce qui convient est en rupture de stock pour le moment :',
  comparison: 'En comparaison :',
  accessories: 'Va avec {title} :',
  alternatives: 'À la place de {title} :',
  unknownFact: 'Mes données produit ne le disent pas pour {title}.',
  noMatch: 'Je n’ai pas trouvé d’autre produit qui convienne.',
  notSold: 'Je n’ai rien trouvé pour « {wanted} » dans notre gamme.',
  upTo: 'jusqu’à {price}',
  from: 'à partir de {price}',
  size: 'taille {value}',
  colour: 'en {value}',
  inStockWish: 'en stock',
  sizes: 'tailles {values}',
  colours: 'couleurs {values}',
  price: 'Prix',
  rating: 'noté {rating} sur 5',
  reviews: '{count} avis',
  brand: 'Marque',
  insteadOf: 'au lieu de {price}',
  notInVariant: '{title} n’est pas en stock en {variant} : {availability}.',
  yesInVariant: 'Oui, {title} existe en {variant} : {availability}.',
  unknownVariant: '{title} n’est pas proposé en {variant}.',
  offeredIn: 'Proposé en : {values}.',
  availability: {
    in_stock: 'en stock',
    out_of_stock: 'en rupture de stock',
    preorder: 'en précommande',
    backorder: 'en réapprovisionnement',
  },
  unknownAvailability: 'stock inconnu',
  yes: 'oui',
  no: 'non',
}

const es: ProductSentences = {
  found: 'Esto es lo que he encontrado:',
  cheapest: 'Lo más barato:',
  dearest: 'Lo más caro:',
  bestRated: 'Lo mejor valorado:',
  newest: 'Lo más nuevo:',
  nearest: 'Nada cumple todo lo que pide ({missed}). Lo más parecido:',
  onlyOutOfStock: 'Lo que encaja está agotado en este momento:',
  comparison: 'Comparación:',
  accessories: 'Combina con {title}:',
  alternatives: 'En lugar de {title}:',
  unknownFact: 'Mis datos de producto no lo dicen sobre {title}.',
  noMatch: 'No he encontrado otro producto que encaje.',
  notSold: 'No he encontrado nada para «{wanted}» en nuestro surtido.',
  upTo: 'hasta {price}',
  from: 'desde {price}',
  size: 'talla {value}',
  colour: 'en {value}',
  inStockWish: 'en stock',
  sizes: 'tallas {values}',
  colours: 'colores {values}',
  price: 'Precio',
  rating: 'valorado con {rating} de 5',
  reviews: '{count} opiniones',
  brand: 'Marca',
  insteadOf: 'en lugar de {price}',
  notInVariant: '{title} no está en stock en {variant}: {availability}.',
  yesInVariant: 'Sí, {title} está disponible en {variant}: {availability}.',
  unknownVariant: '{title} no se ofrece en {variant}.',
  offeredIn: 'Se ofrece en: {values}.',
  availability: {
    in_stock: 'en stock',
    out_of_stock: 'agotado',
    preorder: 'en preventa',
    backorder: 'bajo pedido',
  },
  unknownAvailability: 'existencias no conocidas',
  yes: 'sí',
  no: 'no',
}

const sentences: Record<string, ProductSentences> = { en, de, fr, es }

/** English where we have not written them down. */
export function productSentences(language: string): ProductSentences {
  return sentences[language.slice(0, 2)] ?? en
}

export function fill(sentence: string, values: Record<string, string>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}
