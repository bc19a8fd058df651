/** The facts of an institution for its wire form. */
export interface InstitutionFacts {
  institutionId: string;
  aliases: readonly string[];
  name: string;
  country: string;
  domain: string | null;
  color: string | null;
  colorDark: string | null;
  isFeatured: boolean;
}

/** The wire form of an Institution. Source: native-api 4.7. */
export function presentInstitution(institution: InstitutionFacts) {
  return {
    institution_id: institution.institutionId,
    institution_id_aliases: institution.aliases,
    name: institution.name,
    country: institution.country,
    domain: institution.domain,
    color: institution.color,
    color_dark: institution.colorDark,
    is_featured: institution.isFeatured,
  };
}
