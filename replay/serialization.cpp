// The parts of Boost's binary archives that are made once per archive; see serialization.hpp.
#include "replay/serialization.hpp"

#include <boost/archive/detail/archive_serializer_map.hpp>
#include <boost/archive/impl/archive_serializer_map.ipp>
#include <boost/archive/impl/basic_binary_iarchive.ipp>
#include <boost/archive/impl/basic_binary_iprimitive.ipp>
#include <boost/archive/impl/basic_binary_oarchive.ipp>
#include <boost/archive/impl/basic_binary_oprimitive.ipp>

namespace boost::archive {

using dampi::replay::bytes::Reader;
using dampi::replay::bytes::Writer;

template class basic_binary_oprimitive<Writer, char, std::char_traits<char>>;
template class basic_binary_oarchive<Writer>;
template class binary_oarchive_impl<Writer, char, std::char_traits<char>>;
template class detail::archive_serializer_map<Writer>;

template class basic_binary_iprimitive<Reader, char, std::char_traits<char>>;
template class basic_binary_iarchive<Reader>;
template class binary_iarchive_impl<Reader, char, std::char_traits<char>>;
template class detail::archive_serializer_map<Reader>;

}  // namespace boost::archive
