// cspell:disable
/** Of the companies and people whom a customer pays, or who pay the customer. */
export interface Names {
  employers: readonly string[];
  landlords: readonly string[];
  utilities: readonly string[];
  phones: readonly string[];
  subscriptions: readonly string[];
  insurers: readonly string[];
  lenders: readonly string[];
  shops: readonly string[];
  friends: readonly string[];
  market: string;
}

export const NAMES: Names = {
  employers: [
    'Hartwell Logistics',
    'Οδός Εταιρεία',
    '株式会社サンプル',
    'شركة النخيل',
    'Brightside Clinic',
  ],
  landlords: [
    'Maple Court Homes',
    'R and K Properties',
    'Ενοίκιο Σπίτι',
    'دار السكن',
    '東京不動産',
  ],
  utilities: ['Northern Power', 'City Water Works', 'Helio Gas', 'ΔΕΗ Ρεύμα'],
  phones: ['Cellora Mobile', 'Fonetta', 'شركة الاتصالات'],
  subscriptions: [
    'Streamly',
    'Tunebox',
    'Cloudshelf',
    'Daily Courier',
    'Fitloop',
    'Gamevault',
    'Pixelstore',
    '音楽クラブ',
  ],
  insurers: ['Harbor Mutual', 'Alpen Insurance', 'Granite Life'],
  lenders: ['Union Auto Loans', 'First Home Credit', 'Campus Finance'],
  shops: [
    'Green Basket',
    'Corner Bakery',
    'Petrol Plus',
    'Bookhouse',
    'Hardware Barn',
    'Trattoria Luna',
    'Noodle House',
    'Pharmacy West',
    'Shoe Loft',
    'Garden Depot',
    'Toy Box',
    'Cinema Nova',
  ],
  friends: ['Alex Morgan', 'Sam Rivers', 'Chris Doyle', 'Jo Bennett'],
  market: 'Bazaar Marketplace',
};

/** Neither these names nor the seeds of their worlds were seen while the rules were written. */
export const OTHER_NAMES: Names = {
  employers: ['Vermeer Bouw', 'Municipio Central', '山田商事', 'مستشفى الأمل', 'Lumen Labs'],
  landlords: ['Elm Street Lettings', 'Wohnbau Nord', 'Κατοικία', 'دار الإيجار', '大阪住宅'],
  utilities: ['Stadtwerke', 'Acqua Viva', 'Windkraft Power', 'Νερό Πόλης'],
  phones: ['Ringo', 'Telewave Mobile', 'هاتفي'],
  subscriptions: [
    'Filmbox',
    'Readly',
    'Yogaroom',
    'Mailkeep',
    'Podhub',
    'Chefkit',
    'Kartio',
    '映画館',
  ],
  insurers: ['Northstar Cover', 'Assicura', 'Old Oak Insurance'],
  lenders: ['Drive Now Finance', 'Crédit Rural', 'Tuition Trust'],
  shops: ['Fresh Corner', 'Backstube', 'Fuel Stop', 'Papeterie', 'Tool Town', 'Pizzeria Sole'],
  friends: ['Nadia Haddad', 'Piet Jansen', 'Yuki Mori', 'Lena Vogt'],
  market: 'Everything Store',
};
