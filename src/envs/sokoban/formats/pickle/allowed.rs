//! The names that a pickle may contain. They stay names and are never called: the list keeps out files of
//! another kind, and errors can say which name was found.

/// Packages whose classes are all allowed.
const PACKAGES: &[&str] = &["gym", "gymnasium", "gym_sokoban"];

/// Modules and their allowed names.
const NAMES: &[(&str, &[&str])] = &[
    ("__builtin__", BUILTINS),
    ("builtins", BUILTINS),
    ("copy_reg", &["_reconstructor", "__newobj__"]),
    ("copyreg", &["_reconstructor", "__newobj__"]),
    ("_codecs", &["encode"]),
    ("collections", &["OrderedDict", "defaultdict", "deque"]),
    ("numpy", NUMPY),
    ("numpy.core.multiarray", &["_reconstruct", "scalar"]),
    ("numpy._core.multiarray", &["_reconstruct", "scalar"]),
    ("numpy.core.numeric", &["_frombuffer"]),
    ("numpy._core.numeric", &["_frombuffer"]),
    ("numpy.random", &["__RandomState_ctor"]),
    ("numpy.random._pickle", &["__randomstate_ctor", "__generator_ctor", "__bit_generator_ctor"]),
    ("numpy.random.mtrand", &["RandomState"]),
    ("numpy.random._mt19937", &["MT19937"]),
    ("numpy.random._pcg64", &["PCG64"]),
    ("numpy.random.bit_generator", &["SeedSequence", "__pyx_unpickle_SeedSequence"]),
];

const BUILTINS: &[&str] = &["object", "list", "dict", "set", "frozenset", "tuple", "bytearray", "bytes"];

const NUMPY: &[&str] = &[
    "ndarray", "dtype", "bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float32", "float64",
];

/// Whether a pickle of a saved environment may contain this name.
pub(super) fn is_allowed(module: &str, name: &str) -> bool {
    let listed = NAMES.iter().any(|(known, names)| *known == module && names.contains(&name));
    listed
        || (PACKAGES.contains(&package(module)) && is_plain(module) && is_plain(name) && !name.contains('.'))
}

fn package(module: &str) -> &str {
    module.split('.').next().unwrap_or_default()
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.')
}
